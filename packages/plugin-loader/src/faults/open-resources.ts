import { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { EventEmitter } from "node:events";
import { Server, Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { currentScope } from "./plugin-scope.js";
import { watchTimers } from "./timer-watch.js";

/** Resource that code of a plugin opened and did not close. */
export interface OpenResource {
  readonly pluginId: string;
  /** For example `child process 4173 (sleep)` or `server on port 8080`. */
  readonly name: string;
}

/** Watches what plugins open. */
export interface ResourceWatch {
  /** Returns what is open now. */
  open(): readonly OpenResource[];
  /** Ends the watch. */
  stop(): void;
}

/** Event of Node about a new resource. */
interface ResourceChannel {
  readonly channel: string;
  /** Event of the resource when it is closed. */
  readonly end: "exit" | "close";
  /** Returns the resource of an event with a function that names it; undefined for another kind of event. */
  find(message: object): FoundResource | undefined;
}

interface FoundResource {
  readonly resource: EventEmitter;
  readonly name: () => string;
}

const CHANNELS: readonly ResourceChannel[] = [
  {
    channel: "child_process",
    end: "exit",
    find: finder("process", ChildProcess, ({ pid, spawnfile }) => {
      return `child process ${pid ?? ""} (${spawnfile})`;
    }),
  },
  {
    channel: "worker_threads",
    end: "exit",
    find: finder("worker", Worker, ({ threadId }) => `worker thread ${threadId}`),
  },
  {
    channel: "tracing:net.server.listen:asyncStart",
    end: "close",
    find: finder("server", Server, (server) => `server on ${addressOf(server)}`),
  },
  {
    channel: "net.client.socket",
    end: "close",
    find: finder("socket", Socket, ({ remoteAddress, remotePort }) => {
      return `connection to ${remoteAddress ?? "an unknown host"}:${remotePort ?? "?"}`;
    }),
  },
];

function finder<Resource extends EventEmitter>(
  field: string,
  type: abstract new (...values: never) => Resource,
  nameOf: (resource: Resource) => string,
): ResourceChannel["find"] {
  return (message) => {
    const resource: unknown = Reflect.get(message, field);
    return resource instanceof type ? { resource, name: () => nameOf(resource) } : undefined;
  };
}

/**
 * Notes the child processes, threads, servers, connections and timers that plugins open, until they close.
 */
export function watchResources(): ResourceWatch {
  const timers = watchTimers();
  const open = new Map<EventEmitter, { readonly pluginId: string; readonly name: () => string }>();
  const listeners = CHANNELS.map(({ channel, end, find }) => {
    const listener = (message: unknown) => {
      const pluginId = currentScope()?.pluginId;
      if (pluginId === undefined || typeof message !== "object" || message === null) return;
      const found = find(message);
      if (found === undefined) return;
      const { resource, name } = found;
      open.set(resource, { pluginId, name });
      resource.once(end, () => open.delete(resource));
    };
    subscribe(channel, listener);
    return { channel, listener };
  });
  return {
    open: () => [
      ...[...open.values()].map(({ pluginId, name }) => ({ pluginId, name: name() })),
      ...timers.open(),
    ],
    stop() {
      timers.stop();
      for (const { channel, listener } of listeners) unsubscribe(channel, listener);
      open.clear();
    },
  };
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null) return "no address";
  return typeof address === "string" ? address : `port ${address.port}`;
}
