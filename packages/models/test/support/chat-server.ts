import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createDescribedModel, liftLanguageModel, type ModelCandidate } from "../../src/index.js";

/** Answers one request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server of the chat completions API, whose answers a test changes. */
export interface ChatServer {
  answer: Answer;
  /** Bodies of the requests so far. */
  readonly requests: readonly unknown[];
  /** Number of connections that the client closed before the response ended. */
  readonly closed: number;
  /** A candidate that is served by it. */
  candidate(ref: string): ModelCandidate;
  /** Does not listen, as long as the returned function is not called. */
  stop(): Promise<() => Promise<void>>;
}

/** Starts a server that listens until the test ends. */
export async function chatServer(answer: Answer): Promise<ChatServer> {
  const requests: unknown[] = [];
  let closed = 0;
  const create = () =>
    createServer((request, response) => {
      response.on("close", () => {
        if (!response.writableEnded) closed += 1;
      });
      void text(request).then((body) => {
        requests.push(JSON.parse(body));
        state.answer(response, request);
      });
    });
  let server = create();
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  onTestFinished(close);
  const state: ChatServer = {
    answer,
    requests,
    get closed() {
      return closed;
    },
    candidate(ref) {
      const provider = ref.slice(0, ref.indexOf("/"));
      const modelId = ref.slice(ref.indexOf("/") + 1);
      const described = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "a-key", models: [] };
      return {
        ref,
        provider,
        priority: 0,
        async resolve() {
          const lifted = liftLanguageModel(await createDescribedModel(described, modelId));
          const model = {
            ...lifted,
            provider,
            modelId,
            doStream: (options: Parameters<typeof lifted.doStream>[0]) => lifted.doStream(options),
          };
          return { ref, provider, modelId, model, paid: false };
        },
      };
    },
    async stop() {
      await close();
      return async () => {
        server = create();
        await listen(port);
      };
    },
  };
  return state;
}

/** One chunk of a streamed reply. */
export function chunk(delta: object, finish: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finish };
  const body = { id: "chat-1", object: "chat.completion.chunk", created: 1, model: "m" };
  return `data: ${JSON.stringify({ ...body, choices: [choice] })}\n\n`;
}

/** Chunks of a whole reply. */
export function replyChunks(...texts: string[]): string[] {
  return [
    chunk({ role: "assistant", content: "" }),
    ...texts.map((content) => chunk({ content })),
    chunk({}, "stop"),
    "data: [DONE]\n\n",
  ];
}

/** Streams chunks and ends the response. */
export function streaming(...chunks: string[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const each of chunks) response.write(each);
    response.end();
  };
}

/** Streams chunks and closes the connection. */
export function breaking(...chunks: string[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunks.join(""), () => response.destroy());
  };
}

/** Responds with a status and a body. */
export function failing(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  };
}
