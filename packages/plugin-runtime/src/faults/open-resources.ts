import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { EventEmitter } from "node:events";
import type { Server, Socket } from "node:net";
import type { Worker } from "node:worker_threads";
import { currentScope } from "./plugin-scope.js";

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

/** Events of Node about a new resource: its field, the event of its end, and its name. */
const CHANNELS = [
  {
    channel: "child_process",
    field: "process",
    end: "exit",
    nameOf: (child: ChildProcess) => `child process ${child.pid ?? ""} (${child.spawnfile})`,
  },
  {
    channel: "worker_threads",
    field: "worker",
    end: "exit",
    nameOf: (worker: Worker) => `worker thread ${worker.threadId}`,
  },
  {
    channel: "tracing:net.server.listen:asyncStart",
    field: "server",
    end: "close",
    nameOf: (server: Server) => `server on ${addressOf(server)}`,
  },
  {
    channel: "net.client.socket",
    field: "socket",
    end: "close",
    nameOf: ({ remoteAddress, remotePort }: Socket) =>
      `connection to ${remoteAddress ?? "an unknown host"}:${remotePort ?? "?"}`,
  },
] as const;

/**
 * Notes the child processes, threads, servers and connections that plugins open, until they close. Timers have no owner
 * in Node; the process does not wait for them.
 */
export function watchResources(): ResourceWatch {
  const open = new Map<EventEmitter, { readonly pluginId: string; readonly name: () => string }>();
  const listeners = CHANNELS.map(({ channel, field, end, nameOf }) => {
    const listener = (message: unknown) => {
      const pluginId = currentScope()?.pluginId;
      if (pluginId === undefined || typeof message !== "object" || message === null) return;
      const resource = Reflect.get(message, field);
      // Each channel has its own type of resource, which the list above pairs with its name.
      open.set(resource, { pluginId, name: () => nameOf(resource as never) });
      resource.once(end, () => open.delete(resource));
    };
    subscribe(channel, listener);
    return { channel, listener };
  });
  return {
    open: () => [...open.values()].map(({ pluginId, name }) => ({ pluginId, name: name() })),
    stop() {
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
