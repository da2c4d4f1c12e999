from chat_app.agent.work import Work


async def test_work_starts_at_its_own_pace_unless_it_says_otherwise():
    async def play(_turn):
        return None

    work = Work(play=play, model="m")
    assert (work.starts, work.pace) == (True, 1.0)
