import { request } from "node:http";
import type {
  AgentCall,
  AgentCallDecision,
  WorkerCompletion,
  WorkerEvent,
  WorkerModelAnswer,
  WorkerModelRequest,
  WorkerStatus,
} from "../workers/api/requests.js";
import { WorkerFailedError } from "../workers/errors.js";
import type { WorkerArguments } from "./arguments.js";

const SOCKET = "unix:";

/** A failure that the host reported, with its class. */
class HostRequestError extends WorkerFailedError {
  readonly status: number;

  /**
   * @param status - HTTP status
   * @param problem - code and message of the host
   */
  constructor(status: number, problem: string) {
    super(problem);
    this.status = status;
  }
}

/** The API of the host, as a worker uses it (JOB-039). */
export class WorkerClient {
  readonly #to: Pick<WorkerArguments, "jobId" | "orchestratorUrl" | "token">;

  /** @param to - job, URL and token */
  constructor(to: Pick<WorkerArguments, "jobId" | "orchestratorUrl" | "token">) {
    this.#to = to;
  }

  /** Returns the task. */
  async job(): Promise<{ readonly title: string; readonly description: string }> {
    return await this.#json("GET", "job");
  }

  /** Returns a further prompt; undefined when none waits. */
  async prompt(): Promise<{ readonly content: string } | undefined> {
    const { status, text } = await this.#send("GET", "prompt");
    return status === 204 ? undefined : JSON.parse(text);
  }

  /** Reports the status. */
  async status(status: WorkerStatus): Promise<void> {
    await this.#send("POST", "status", status);
  }

  /** Reports events. */
  async events(events: readonly WorkerEvent[]): Promise<void> {
    await this.#send("POST", "events", events);
  }

  /** Returns the decision of the host about a call of an external agent, as long as that takes. */
  async authorize(call: AgentCall): Promise<AgentCallDecision> {
    return await this.#json("POST", "authorize", call);
  }

  /** Reports the end of the work. */
  async complete(completion: WorkerCompletion): Promise<void> {
    await this.#send("POST", "complete", completion);
  }

  /** Calls a model with tools. */
  async completeWithTools(call: WorkerModelRequest): Promise<WorkerModelAnswer> {
    return await this.#json("POST", "llm/complete_with_tools", call);
  }

  async #json<Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
    const { text } = await this.#send(method, path, body);
    const answer: Answer = JSON.parse(text);
    return answer;
  }

  async #send(
    method: "GET" | "POST",
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { jobId, orchestratorUrl, token } = this.#to;
    const isSocket = orchestratorUrl.startsWith(SOCKET);
    const base = isSocket ? "http://worker" : orchestratorUrl;
    const written = body === undefined ? undefined : JSON.stringify(body);
    const options = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(written === undefined
          ? {}
          : {
              "content-type": "application/json",
              "content-length": String(Buffer.byteLength(written)),
            }),
      },
      ...(isSocket ? { socketPath: orchestratorUrl.slice(SOCKET.length) } : {}),
    };
    const url = new URL(`/worker/${encodeURIComponent(jobId)}/${path}`, base);
    const { status, text } = await new Promise<{ status: number; text: string }>(
      (resolve, reject) => {
        const sent = request(url, options, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString("utf8"),
            }),
          );
        });
        sent.on("error", reject);
        sent.end(written);
      },
    );
    if (status < 300) return { status, text };
    throw new HostRequestError(status, problemOf(status, text));
  }
}

function problemOf(status: number, text: string): string {
  try {
    const { error } = JSON.parse(text);
    return `${error.code}: ${error.message}`;
  } catch {
    return `the host answered ${status}`;
  }
}
