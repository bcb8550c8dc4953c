import type {
  CallToolResult,
  ElicitRequestParams,
  InputRequiredResult,
} from "@modelcontextprotocol/client";
import { CallDeadline } from "../elicitation/deadline.js";
import { OpenCalls } from "../elicitation/open-calls.js";
import type { CallTurn, OpenElicitations } from "../elicitation/open-elicitations.js";
import { McpServerFailedError, McpServerRefusedError, McpToolSuspendedError } from "../errors.js";
import type { ServerSettings } from "../settings.js";
import type { PinnedTool } from "../tools/pins.js";
import type { Connection, ToolCall } from "./client.js";
import { ServerLog } from "./log.js";
import { connectInItsProtocol } from "./negotiation.js";
import type { ServerOffers } from "./offers.js";
import { nextAttempt, problemOf } from "./reason.js";
import { Restarts } from "./restarts.js";
import { failureOf, type InternalState, type ServerState, visibleState } from "./state.js";
import { ToolList, type ToolListDependencies } from "./tool-list.js";
import type { ConnectionDependencies } from "./transport.js";
import { untilAborted } from "./wait.js";

/** Dependencies of a server. */
export interface ServerDependencies extends ConnectionDependencies, ToolListDependencies {
  readonly elicitations: OpenElicitations;
  readonly restartDelaysMs: readonly number[];
}

/** One MCP server: a state machine with at most one connection, and at most one attempt to make it. */
export class McpServer {
  readonly settings: ServerSettings;
  readonly log = new ServerLog();
  readonly #calls: OpenCalls;
  readonly #tools: ToolList;
  readonly #restarts: Restarts;
  readonly #dependencies: ServerDependencies;
  readonly #closing = new AbortController();
  #state: InternalState = { kind: "stopped" };

  /**
   * @param settings - entry of the server
   * @param dependencies - host and store
   */
  constructor(settings: ServerSettings, dependencies: ServerDependencies) {
    this.settings = settings;
    this.#dependencies = dependencies;
    this.#calls = new OpenCalls(settings.name, dependencies.elicitations);
    this.#tools = new ToolList(settings, dependencies);
    this.#restarts = new Restarts(dependencies.restartDelaysMs);
  }

  get name(): string {
    return this.settings.name;
  }

  get state(): ServerState {
    return visibleState(this.#state);
  }

  /** Prompts and resources that the server offers, as far as they are known. Starts nothing. */
  get offers(): ServerOffers {
    return this.#tools.offers;
  }

  /** Returns the tools of the server with their pins; undefined when they are not known. Starts nothing. */
  async tools(): Promise<readonly PinnedTool[] | undefined> {
    return await this.#tools.known();
  }

  /**
   * Connects, or waits for the attempt that is under way.
   * @param options - `isForced` does not wait for the time of the next attempt
   * @throws McpServerFailedError, McpServerRefusedError
   */
  async start({ isForced = false } = {}): Promise<Connection> {
    const state = this.#state;
    if (this.#closing.signal.aborted) throw this.#failed("was stopped", "start the gateway");
    if (state.kind === "ready") return state.connection;
    if (state.kind === "starting") return await state.attempt;
    if (state.kind === "refused" && !isForced) throw this.#refused(state.reason);
    if (state.kind === "failing") {
      if (!isForced) throw this.#failed(state.reason, nextAttempt(state.until));
      clearTimeout(state.timer);
    }
    const attempt = this.#attempt();
    this.#state = { kind: "starting", attempt, failure: failureOf(state) };
    return await attempt;
  }

  /**
   * Calls a tool. A server that is not running is started; one that failed answers at once with the reason.
   * @param name - name of the tool, as the server gives it
   * @param call - arguments and signal
   * @throws McpServerFailedError, McpServerRefusedError, McpToolSuspendedError, or the reason of the signal
   */
  async call(
    name: string,
    call: Omit<ToolCall, "tool" | "deadline"> & {
      readonly turn: CallTurn;
      onStarting?(): void;
    },
  ): Promise<CallToolResult | InputRequiredResult> {
    if (this.#state.kind !== "ready") call.onStarting?.();
    const connection = await untilAborted(this.start(), call.signal);
    const pin = (await this.tools())?.find(({ definition }) => definition.name === name);
    if (pin === undefined) {
      throw this.#failed(`no longer has the tool "${name}"`, "use another tool");
    }
    if (pin.problem !== undefined) {
      throw new McpToolSuspendedError(this.name, name, pin.problem.text);
    }
    const { definition: tool } = pin;
    const { turn, signal } = call;
    const deadline = new CallDeadline(this.settings.timeoutMs);
    return await this.#calls.during({ turn, deadline, signal }, () =>
      this.#request(connection, { signal, doing: `ran "${name}"` }, (open) =>
        open.callTool({ ...call, tool, deadline }),
      ),
    );
  }

  /**
   * Makes a request other than a call of a tool. A server that is not running is started.
   * @param doing - end of a sentence that begins with the server, for example `read a resource`
   * @param signal - cancels the request
   * @param ask - makes the request
   * @throws McpServerFailedError, McpServerRefusedError, or the reason of the signal
   */
  async use<Result>(
    doing: string,
    signal: AbortSignal,
    ask: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const connection = await untilAborted(this.start(), signal);
    return await this.#request(connection, { signal, doing }, ask);
  }

  /**
   * Makes a request. A server that forgot the session did not accept the request, which is made once more in a new session.
   */
  async #request<Result>(
    connection: Connection,
    { signal, doing }: { readonly signal: AbortSignal; readonly doing: string },
    ask: (connection: Connection) => Promise<Result>,
    isRepeated = false,
  ): Promise<Result> {
    try {
      return await ask(connection);
    } catch (error) {
      signal.throwIfAborted();
      const { reason, kind } = problemOf(error);
      const isLost = kind === "session" && connection.hasSession;
      if (isLost && !isRepeated) {
        this.#forget(connection);
        const renewed = await untilAborted(this.start(), signal);
        return await this.#request(renewed, { signal, doing }, ask, true);
      }
      const isCurrent = this.#state.kind === "ready" && this.#state.connection === connection;
      if (kind === "refused" || kind === "scope") {
        if (isCurrent && kind === "refused") this.#refuse(reason);
        throw this.#failed(`${reason}, while it ${doing}`, "it did not accept the call", error);
      }
      if (isCurrent && isLost) this.#end(connection, reason);
      else if (isCurrent && reason.includes("in time")) void this.#checkAlive(connection);
      throw this.#failed(
        `${reason}, while it ${doing}`,
        "the call may have had its effect; check before you repeat it",
        error,
      );
    }
  }

  /** Leaves a connection whose session the server forgot; the next start makes a new one. */
  #forget(connection: Connection): void {
    const state = this.#state;
    if (state.kind !== "ready" || state.connection !== connection) return;
    this.#state = { kind: "stopped" };
    void connection.close();
  }

  /** Ends a connection whose credentials are not valid any more; the next call makes a new one. */
  reconnect(): void {
    if (this.#state.kind === "ready") this.#forget(this.#state.connection);
  }

  /** Ends the connection; the server cannot be started again. */
  async close(): Promise<void> {
    this.#closing.abort();
    const state = this.#state;
    if (state.kind === "failing") clearTimeout(state.timer);
    this.#state = { kind: "stopped" };
    if (state.kind === "starting") {
      await state.attempt.then((connection) => connection.close()).catch(() => undefined);
    }
    if (state.kind === "ready") await state.connection.close();
  }

  /** Forgets what was read from the store, because another process or a command changed it. */
  forgetKnown(): void {
    this.#tools.forget();
    if (this.#state.kind === "ready") this.#tools.refresh(this.#state.connection);
  }

  async #attempt(): Promise<Connection> {
    const { startupTimeoutMs } = this.settings;
    const deadline = AbortSignal.timeout(startupTimeoutMs);
    const signal = AbortSignal.any([this.#closing.signal, deadline]);
    let opened: Connection | undefined;
    try {
      opened = await this.#open(signal);
      await this.#tools.read(opened);
      if (this.#closing.signal.aborted) throw new Error("was stopped");
    } catch (error) {
      await opened?.close();
      const { reason, kind } = problemOf(error);
      const problem = deadline.aborted ? `was not ready within ${startupTimeoutMs} ms` : reason;
      if (kind === "refused" || kind === "scope") throw this.#refuse(problem);
      const until = this.#fail(problem);
      throw this.#failed(problem, nextAttempt(until), error);
    }
    this.#state = { kind: "ready", connection: opened, since: performance.now() };
    return opened;
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    let current: Connection | undefined;
    const reports = {
      onLine: (line: string) => this.#noteLine(line),
      onClosed: (reason: string) => current && this.#end(current, reason),
      onElicitation: (params: ElicitRequestParams) => this.#calls.ask(params),
      onChanged: () => current && this.#tools.refresh(current),
    };
    current = await connectInItsProtocol(this.settings, this.#dependencies, reports, signal);
    return current;
  }

  async #checkAlive(connection: Connection): Promise<void> {
    if (await connection.answers()) return;
    this.#end(connection, "does not answer any more");
    await connection.close();
  }

  /** Ends the current connection; the end of an earlier one changes nothing. */
  #end(connection: Connection, reason: string): void {
    const state = this.#state;
    if (state.kind !== "ready" || state.connection !== connection) return;
    this.#restarts.ranFor(performance.now() - state.since);
    this.#fail(reason);
    void connection.close();
  }

  #fail(reason: string): number {
    const delay = this.#restarts.next();
    const until = Date.now() + delay;
    if (this.#closing.signal.aborted) {
      this.#state = { kind: "stopped" };
      return until;
    }
    const timer = setTimeout(() => {
      this.start({ isForced: true }).catch(() => undefined);
    }, delay);
    timer.unref();
    this.#state = { kind: "failing", reason, until, timer };
    this.#dependencies.logger.warn(
      `MCP server "${this.name}" ${reason}; it is started again in ${delay} ms`,
    );
    return until;
  }

  #noteLine(line: string): void {
    if (this.log.add(line)) this.#dependencies.logger.info(line, { server: this.name });
  }

  #failed(problem: string, nextStep: string, cause?: unknown): McpServerFailedError {
    return new McpServerFailedError(this.name, problem, nextStep, cause);
  }

  /** Sets the state `refused`, in which a server is not tried again by itself. */
  #refuse(reason: string): McpServerRefusedError {
    const state = this.#state;
    this.#state = { kind: "refused", reason };
    if (state.kind === "ready") void state.connection.close();
    this.#dependencies.logger.error(`MCP server "${this.name}" ${reason}`);
    return this.#refused(reason);
  }

  #refused(problem: string): McpServerRefusedError {
    return new McpServerRefusedError(
      this.name,
      problem,
      `correct it in ${this.settings.place.title}`,
    );
  }
}
