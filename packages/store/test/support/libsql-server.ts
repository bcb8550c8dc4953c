import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { HranaStream, type PipelineRequest, type PipelineResult } from "./hrana-stream.js";

/** Fault of the next request that contains a statement. */
export interface LibsqlFault {
  /** Matches a statement of the request. */
  readonly at: RegExp;
  /** `cut` runs the request and closes the connection instead of answering; `refuse` closes it before, and the stream with it. */
  readonly kind: "cut" | "refuse";
}

/** A server that speaks the protocol of libSQL servers over HTTP (Hrana 2) and keeps its databases in files. */
export interface LibsqlServer extends AsyncDisposable {
  /**
   * Returns the URL of a new database.
   * @param content - content of its file; empty when absent
   */
  url(content?: Uint8Array): string;
  /** URL of a database with the name `NAME`, which is created with its first use. */
  readonly anyUrl: string;
  /** Folder with the file of each database, `<name>.db`. */
  readonly folder: string;
  /** Faults that are still to come. */
  readonly faults: LibsqlFault[];
  /** Token that requests need; none when absent. */
  token: string | undefined;
}

/** Starts a server on a free port of the loopback interface. */
export async function startLibsqlServer(): Promise<LibsqlServer> {
  const folder = temporaryFolder("libsql-server");
  mkdirSync(folder.path, { recursive: true });
  const fileOf = (name: string) => join(folder.path, `${name}.db`);
  const streams = new Map<string, HranaStream>();
  const faults: LibsqlFault[] = [];
  const state: { token: string | undefined } = { token: undefined };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = "", endpoint] = /^\/([\w-]+)\/(v2\/pipeline)$/.exec(request.url ?? "") ?? [];
    if (endpoint === undefined) return send(response, 404, { error: "not found" });
    if (state.token !== undefined && request.headers.authorization !== `Bearer ${state.token}`) {
      return send(response, 401, { error: "unauthorized" });
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { baton, requests } = JSON.parse(text) as PipelineRequest;
    const fault = faults.findIndex(({ at }) => at.test(text));
    const kind = fault < 0 ? undefined : faults.splice(fault, 1)[0]?.kind;
    const stream =
      baton === null || baton === undefined ? new HranaStream(fileOf(name)) : streams.get(baton);
    if (stream === undefined)
      return send(response, 400, { message: "stream not found", code: "STREAM_EXPIRED" });
    if (kind === "refuse") {
      // A server gives a stream up from which it hears nothing, and rolls its transaction back.
      stream.close();
      return void response.destroy();
    }
    if (typeof baton === "string") streams.delete(baton);
    const results: PipelineResult[] = requests.map((each) => stream.answer(each));
    const next = stream.isClosed ? null : randomUUID();
    if (next !== null) streams.set(next, stream);
    if (kind === "cut") {
      stream.close();
      return void response.destroy();
    }
    send(response, 200, { baton: next, base_url: null, results });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const urlOf = (name: string) => `libsql://127.0.0.1:${port}/${name}?tls=0`;
  return {
    anyUrl: urlOf("NAME"),
    url(content) {
      const name = randomUUID();
      if (content !== undefined) writeFileSync(fileOf(name), content);
      return urlOf(name);
    },
    folder: folder.path,
    faults,
    get token() {
      return state.token;
    },
    set token(token) {
      state.token = token;
    },
    async [Symbol.asyncDispose]() {
      for (const stream of streams.values()) stream.close();
      server.closeAllConnections();
      server.close();
      folder[Symbol.dispose]();
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
