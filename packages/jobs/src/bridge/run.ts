import { setTimeout } from "node:timers/promises";
import { errorMessage } from "@openclaw/foundation";
import { WorkerClient } from "../worker/client.js";
import type { WorkerEvent } from "../workers/api/requests.js";
import type { BridgeArguments } from "./arguments.js";
import { BridgeError } from "./errors.js";
import type { AgentConversation, AgentHost, AgentTurn, ExternalAgent } from "./external-agent.js";

/** Time between two requests for a prompt, and after a failed one (JOB-045). */
const POLL_MS = 2000;
const POLL_AFTER_ERROR_MS = 5000;
/** First message of a run that continues an earlier one. */
const CONTINUE =
  "The host was restarted while you worked. Continue the task; a call whose result you do not have did not run.";

/** Context of {@link runBridge}. */
export interface BridgeContext {
  readonly signal: AbortSignal;
  /**
   * Waits; a test passes its own.
   * @param ms - time in milliseconds
   * @param signal - ends the wait
   */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Lets an external agent work on a job: proves that it respects denials, gives it the task and further prompts, and reports
 * what it does and how it ends.
 * @param given - job, URL of the host, token and earlier session
 * @param context - end of the process, and waits
 * @returns the exit code of the process
 */
export async function runBridge(
  given: Pick<BridgeArguments, "jobId" | "orchestratorUrl" | "resume" | "token">,
  agent: ExternalAgent,
  { signal, wait = waitFor }: BridgeContext,
): Promise<number> {
  const client = new WorkerClient(given);
  const reports = new Reports(client);
  const host: AgentHost = {
    authorize: (call) => client.authorize(call),
    report: (event) => reports.add(event),
    session: (id) => reports.session(id),
  };
  const polling = new AbortController();
  let iterations = 0;
  let conversation: AgentConversation | undefined;
  try {
    const { title, description } = await client.job();
    await client.status({ state: "running", message: title, iteration: 0 });
    await agent.prove(host);
    signal.throwIfAborted();
    const begun = await begin(agent, host, given.resume, description);
    conversation = begun;
    signal.addEventListener("abort", () => begun.stop(), { once: true });
    const ended = AbortSignal.any([signal, polling.signal]);
    void pollPrompts(client, begun, ended, wait);
    let turn: AgentTurn | undefined;
    for (let isOpen = true; isOpen; ) {
      turn = await begun.nextTurn();
      iterations = turn.iterations;
      await reports.sent();
      await client.status({ state: "running", iteration: iterations });
      // A prompt that came meanwhile is part of the task; without an answer of the host the task is done.
      const further = turn.success ? await client.prompt().catch(() => undefined) : undefined;
      if (further === undefined) isOpen = false;
      else begun.say(further.content);
    }
    polling.abort();
    const { success, text } = (await begun.close()) ?? turn ?? NOTHING;
    await reports.sent();
    await client.complete({ success, message: text, iterations });
    return success ? 0 : 1;
  } catch (error) {
    polling.abort();
    conversation?.stop();
    const message = errorMessage(error);
    // The host may be what failed.
    await reports.sent();
    await client.complete({ success: false, message, iterations }).catch(() => undefined);
    process.stderr.write(`${message}\n`);
    return 1;
  }
}

const NOTHING: AgentTurn = { success: false, text: "the agent gave no answer", iterations: 0 };

/** Begins with the earlier session, or with the task when the agent does not know that session. */
async function begin(
  agent: ExternalAgent,
  host: AgentHost,
  session: string | undefined,
  task: string,
): Promise<AgentConversation> {
  if (session !== undefined) {
    const resumed = await agent.start(host, session);
    resumed?.say(CONTINUE);
    if (resumed !== undefined) return resumed;
    const text = `the agent does not know the session ${session} of the earlier run, and begins the task again`;
    host.report({ event_type: "status", data: { text } });
  }
  const begun = await agent.start(host, undefined);
  if (begun === undefined) throw new BridgeError("the agent began no session");
  begun.say(task);
  return begun;
}

async function pollPrompts(
  client: WorkerClient,
  conversation: AgentConversation,
  ended: AbortSignal,
  wait: NonNullable<BridgeContext["wait"]>,
): Promise<void> {
  let pause = POLL_MS;
  for (;;) {
    await wait(pause, ended);
    if (ended.aborted) return;
    try {
      const prompt = await client.prompt();
      if (prompt !== undefined) conversation.say(prompt.content);
      pause = POLL_MS;
    } catch {
      pause = POLL_AFTER_ERROR_MS;
    }
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** Sends reports in order. One that cannot be sent is left out: the work counts, not its display. */
class Reports {
  readonly #client: WorkerClient;
  #last: Promise<void> = Promise.resolve();

  constructor(client: WorkerClient) {
    this.#client = client;
  }

  add(event: WorkerEvent): void {
    this.#then(() => this.#client.events([event]));
  }

  session(session_id: string): void {
    this.#then(() => this.#client.status({ state: "running", iteration: 0, session_id }));
  }

  sent(): Promise<void> {
    return this.#last;
  }

  #then(send: () => Promise<void>): void {
    this.#last = this.#last.then(send).catch(() => undefined);
  }
}
