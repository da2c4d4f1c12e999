// Holds conversations with an agent through the reference client, as its documentation says one does.
//
// stdin: {url, token, conversations: [{name, tools, answers, resume, stopAfter, state, lines: [text]}]}
//   answers: tool name -> content of the answer to its calls; resume: payload per reason, null for cancelled;
//   stopAfter: an event type after which the client leaves.
// stdout: [{name, runs: [{events, warnings, error, runError, outcome, pending, interrupts}], messages, state}]

import { HttpAgent, buildResumeArray } from "@ag-ui/client";

const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
console.error = (...words) => warnings.push(words.join(" "));

async function run(agent, talk, resume) {
  const seen = { events: [], error: null, runError: null, outcome: null, pending: [], interrupts: [] };
  warnings.length = 0;
  const subscriber = {
    onEvent({ event }) {
      seen.events.push(event.type);
      if (event.type === talk.stopAfter) agent.abortRun();
    },
    onRunFinishedEvent({ outcome, pendingToolCallIds, interrupts }) {
      Object.assign(seen, { outcome, pending: pendingToolCallIds ?? [], interrupts: interrupts ?? [] });
    },
    onRunErrorEvent({ event }) {
      seen.runError = event.code;
    },
    onRunFailed({ error }) {
      seen.error = error.message;
    },
  };
  const parameters = { tools: talk.tools ?? [], ...(resume ? { resume } : {}) };
  await agent.runAgent(parameters, subscriber).catch((error) => (seen.error = error.message));
  return { ...seen, warnings: [...warnings] };
}

// The next request after a run, or nothing when the person has to say something: answers to the
// client's own tools, or to the agent's questions.
function followUp(agent, talk, done) {
  if (done.interrupts.length > 0) {
    const responses = done.interrupts.map(({ id, reason }) => {
      const payload = talk.resume?.[reason];
      return [id, payload === null ? { status: "cancelled" } : { status: "resolved", payload }];
    });
    return { resume: buildResumeArray(done.interrupts, Object.fromEntries(responses)) };
  }
  const calls = agent.messages.flatMap((message) => message.toolCalls ?? []);
  const ours = calls.filter(({ id, function: { name } }) => done.pending.includes(id) && talk.answers?.[name]);
  for (const { id, function: { name } } of ours) {
    agent.addMessage({ id: `answer-${id}`, role: "tool", toolCallId: id, content: talk.answers[name] });
  }
  return ours.length > 0 ? {} : undefined;
}

async function converse({ url, token }, talk) {
  const agent = new HttpAgent({
    url,
    headers: { Authorization: `Bearer ${token}` },
    threadId: `thread ${talk.name}`,
    initialState: talk.state ?? {},
  });
  const runs = [];
  for (const [at, line] of talk.lines.entries()) {
    agent.addMessage({ id: `line-${at}`, role: "user", content: line });
    let next = {};
    while (next !== undefined) {
      runs.push(await run(agent, talk, next.resume));
      next = followUp(agent, talk, runs.at(-1));
    }
  }
  return { name: talk.name, runs, messages: agent.messages, state: agent.state };
}

const asked = await Bun.stdin.json();
const told = [];
for (const talk of asked.conversations) told.push(await converse(asked, talk));
process.stdout.write(JSON.stringify(told));
