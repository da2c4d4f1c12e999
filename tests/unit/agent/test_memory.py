from chat_app.agent.memory import ProcessMemory


async def test_the_projection_kept_last_is_given():
    memory = ProcessMemory()
    assert await memory.load_projection("t") is None
    await memory.save_projection("t", {"n": 1})
    await memory.save_projection("t", {"n": 2})
    assert await memory.load_projection("t") == {"n": 2}
    assert await memory.load_projection("other") is None


async def test_the_first_answer_stands():
    memory = ProcessMemory()
    assert await memory.sealed_answer("t", "q") is None
    assert await memory.seal_answer("t", "q", "yes") == "yes"
    assert await memory.seal_answer("t", "q", "no") == "yes"
    assert await memory.sealed_answer("t", "q") == "yes"
    assert await memory.sealed_answer("other", "q") is None


async def test_only_the_threads_used_last_are_remembered():
    memory = ProcessMemory(threads=2)
    for thread in ("a", "b", "a", "c"):
        await memory.save_projection(thread, thread)
        await memory.seal_answer(thread, "q", thread)
    assert [await memory.load_projection(thread) for thread in "abc"] == ["a", None, "c"]
    assert [await memory.sealed_answer(thread, "q") for thread in "abc"] == ["a", None, "c"]
