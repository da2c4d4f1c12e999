"""Runs a case of ``fixtures/seeds/session.json`` against a real session."""

import asyncio

from ag_ui.core import Context, ResumeEntry, Tool
from pydantic import create_model

from chat_app.agui import (
    CURRENT,
    Failed,
    Interrupted,
    Mode,
    Profile,
    RunParams,
    RunTool,
    Session,
    StateChanged,
    Success,
    TextPart,
    ToolCallPart,
    Trouble,
)
from chat_app.agui.pipeline import Reading
from chat_app.agui.tools import AnyArguments
from tests.support.script_transport import ScriptTransport

MODES = {"fail": Mode.STRICT, "report": Mode.REPORT, "off": Mode.OFF}


class SessionScript:
    def __init__(self, case):
        self.case = case
        options = case["options"]
        self.started = {}
        self.transport = ScriptTransport(case["runs"])
        self.transport.status_of = self.tool_status
        self.warnings, self.updates, self.background = [], [], {}
        self.session = Session(
            self.transport,
            "t",
            profile=profile(options.get("verify")),
            tools=[self.tool(name, spec) for name, spec in options.get("tools", {}).items()],
            state_type=state_model(options.get("state_model")),
            on_diagnostic=self.warnings.append,
        )

    def tool(self, name, spec):
        started = self.started[name] = asyncio.Event()

        async def execute(arguments, context):
            started.set()
            return await behave(spec, arguments)

        return RunTool(name=name, description="", arguments=AnyArguments, execute=execute)

    async def play(self):
        for step in self.case["steps"]:
            await getattr(self, f"do_{step['do']}")(step)
        self.check_end(self.case["expect"])

    # ------------------------------------------------------------ steps

    async def do_send(self, step):
        await self.exchange(
            step, lambda params: self.session.send(step["text"], message_id=step["id"], params=params)
        )

    async def do_run(self, step):
        await self.exchange(step, self.session.run)

    async def do_resume(self, step):
        entries = [ResumeEntry.model_validate(entry) for entry in step["entries"]]
        await self.exchange(step, lambda params: self.session.resume(entries, params))

    async def do_settle(self, step):
        for _ in range(step["ticks"]):
            await asyncio.sleep(0)

    async def do_check(self, step):
        assert len(self.transport.requests) == step["request_count"]
        assert [row.key for row in self.rows() if row.role == "user"] == step["user_ids"]

    async def do_open_gate(self, step):
        self.transport.gates[step["gate"]].set()

    async def do_cancel(self, step):
        self.background[step["who"]].cancel()

    async def do_join(self, step):
        await self.judge(step, self.background[step["who"]])

    async def exchange(self, step, begin):
        task = asyncio.ensure_future(self.follow(begin(run_params(step))))
        if "background" in step:
            self.background[step["background"]] = task
            return
        self.transport.caller = task
        if "cancel_when" in step:
            await self.started[step["cancel_when"]["tool_started"]].wait()
            task.cancel()
        await self.judge(step, task)

    async def follow(self, exchange):
        async with exchange as updates:
            async for update in updates:
                self.updates.append(update)
        return update.end

    # ------------------------------------------------------------ judging

    async def judge(self, step, task):
        if "raises" in step:
            (outcome,) = await asyncio.gather(task, return_exceptions=True)
            assert type(outcome).__name__ == step["raises"]
            return
        self.check_run(await task, step["ended"])
        if step["do"] != "join":  # another exchange may have begun since
            assert self.session.end == task.result() == self.session.transcript.run
        for call, status in step.get("tool_status", {}).items():
            assert self.tool_status(call) == status
        if "pending" in step:
            assert [one.id for one in self.session.pending_interrupts] == step["pending"]

    def check_run(self, end, expected):
        kinds = {"finished": (Success, Interrupted), "failed": (Failed,)}
        assert isinstance(end, kinds[expected["kind"]]), end
        run_id = (
            self.transport.requests[-1].run_id
            if expected.get("run_id") == "$last"
            else expected.get("run_id")
        )
        assert run_id in {None, end.run_id}
        if "interrupts" in expected:
            assert [one.id for one in getattr(end, "interrupts", ())] == expected["interrupts"]
        if "message" in expected:
            assert end.message == expected["message"]
        if "code" in expected:
            assert end.code == expected["code"]
        assert expected.get("message_contains", "") in getattr(end, "message", "")

    def check_end(self, expected):
        checks = {
            "requests": self.check_requests,
            "request_count": lambda count: self.equal(len(self.transport.requests), count),
            "transcript": lambda rows: self.equal(drawn(self.rows()), rows),
            "transcript_contains": self.check_parts,
            "run": lambda run: self.check_run(self.session.end, run),
            "warnings": lambda count: self.equal(len(self.warnings), count),
            "pending": lambda ids: self.equal([one.id for one in self.session.pending_interrupts], ids),
            "raw_state": lambda state: self.equal(self.session.raw_state, state),
            "typed_state": lambda state: self.equal(plain(self.session.state), state),
            "state_updates": self.check_states,
            "error_kinds": self.check_kinds,
        }
        for name, value in expected.items():
            checks[name](value)

    @staticmethod
    def equal(found, expected):
        assert found == expected

    def check_requests(self, expected):
        requests = self.transport.requests
        assert len(requests) == len(expected)
        for index, wanted in enumerate(expected):
            check_request(requests, index, wanted)

    def check_parts(self, expected):
        shown = [part for row in drawn(self.rows()) for part in row["parts"]]
        assert all(part in shown for part in expected)

    def check_states(self, expected):
        states = [update.value for update in self.updates if isinstance(update, StateChanged)]
        assert states == expected

    def check_kinds(self, expected):
        assert [update.error.kind for update in self.updates if isinstance(update, Trouble)] == expected

    def rows(self):
        return self.session.transcript.messages

    def tool_status(self, call):
        parts = [part for row in self.rows() for part in row.parts]
        return next(p.status.value for p in parts if isinstance(p, ToolCallPart) and p.wire_id == call)


def check_request(requests, index, wanted):
    request = requests[index]
    if "run_id" in wanted:
        assert request.run_id == wanted["run_id"]
    if wanted.get("new_run_id"):
        assert request.run_id not in {earlier.run_id for earlier in requests[:index]}
    if "message_ids" in wanted:
        ids = [message.id for message in request.messages]
        assert len(ids) == len(wanted["message_ids"])
        assert all(want in {"*", got} for got, want in zip(ids, wanted["message_ids"], strict=True))
    if "roles" in wanted:
        assert [message.role for message in request.messages] == wanted["roles"]
    if "tools" in wanted:
        assert [tool.name for tool in request.tools] == wanted["tools"]
    if "state" in wanted:
        assert request.state == wanted["state"]
    if "forwarded_props" in wanted:
        assert request.forwarded_props == wanted["forwarded_props"]
    if "context" in wanted:
        assert [dict(entry) for entry in request.context] == wanted["context"]
    if "resume" in wanted:
        entries = request.resume and [entry.model_dump(by_alias=True) for entry in request.resume]
        assert entries == wanted["resume"]
    check_answers(request, wanted)


def check_answers(request, wanted):
    answers = [message for message in request.messages if message.role == "tool"]
    by_call = {message.tool_call_id: message.content for message in answers}
    assert len(by_call) == len(answers)
    if "tool_answers" in wanted:
        assert by_call == wanted["tool_answers"]
    for call, text in wanted.get("tool_answer_contains", {}).items():
        assert text in by_call[call]
    if wanted.get("distinct_message_ids"):
        ids = [message.id for message in request.messages]
        assert len(set(ids)) == len(ids)


def profile(verify):
    return CURRENT if verify is None else Profile(name=verify, reading=Reading(MODES[verify]))


def state_model(spec):
    types = {"int": int}
    return spec and create_model("Board", **{name: (types[kind], ...) for name, kind in spec.items()})


def run_params(step):
    return RunParams(
        run_id=step.get("run_id"),
        tools=[Tool(name=name, description="") for name in step.get("tools", ())],
        context=[Context(**entry) for entry in step.get("context", ())],
        forwarded_props=step.get("forwarded_props", {}),
    )


async def behave(spec, arguments):
    match spec["kind"]:
        case "echo":
            return {"echoed": arguments.text}
        case "sleep":
            await asyncio.sleep(spec["ms"] / 1000)
            return spec["message"]
        case "raise":
            raise RuntimeError(spec["message"])
        case _:
            return await asyncio.Event().wait()


def drawn(rows):
    return [{"role": row.role, "id": row.key, "parts": [shown(part) for part in row.parts]} for row in rows]


def shown(part):
    if isinstance(part, ToolCallPart):
        return ["tool", part.wire_id, part.name, part.args, part.status.value, part.result]
    kind = "text" if isinstance(part, TextPart) else "reasoning"
    return [kind, part.wire_id, part.text, part.streaming]


def plain(value):
    return value.model_dump() if hasattr(value, "model_dump") else value
