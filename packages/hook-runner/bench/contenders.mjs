import { createRequire } from "node:module";
import Emittery from "emittery";
import { createHooks, HookableCore } from "hookable";
import tapable from "tapable";
import { createHandlers } from "./handlers.mjs";
import { createHookRunnerDispatch } from "./hook-runner-dispatch.mjs";

// Fastify exports none of its runners.
const fastify = createRequire(import.meta.url)("fastify/lib/hooks.js");

/**
 * By name: from a case to a function `(event, context)` that dispatches once, or `null` when the
 * library has no such dispatch.
 */
export const CONTENDERS = {
  "hook-runner": createHookRunnerDispatch,

  tapable(each) {
    const args = ["event", "context"];
    const hooks = {
      sequential: () => new tapable.AsyncSeriesHook(args),
      parallel: () => new tapable.AsyncParallelHook(args),
      sync: () => new tapable.SyncHook(args),
    };
    const hook = hooks[each.style]();
    for (const handler of createHandlers(each.handlers, each)) {
      if (each.answers === "later") hook.tapPromise("plugin", handler);
      else hook.tap("plugin", handler);
    }
    return each.style === "sync"
      ? (event, context) => hook.call(event, context)
      : (event, context) => hook.promise(event, context);
  },

  fastify(each) {
    if (each.style !== "sequential") return null;
    // Its handlers use a callback unless they return a promise; without handlers it calls no runner.
    const callback = each.answers === "at once";
    const handlers = createHandlers(each.handlers, { ...each, callback });
    if (handlers.length === 0) return () => undefined;
    return (event, context) =>
      new Promise((resolve, reject) => {
        fastify.onRequestHookRunner(handlers, event, context, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
  },

  hookable(each) {
    const hooks = createHooks();
    for (const handler of createHandlers(each.handlers, each)) hooks.hook("check", handler);
    return each.style === "parallel"
      ? (event, context) => hooks.callHookParallel("check", event, context)
      : (event, context) => hooks.callHook("check", event, context);
  },

  "hookable core"(each) {
    if (each.style === "parallel") return null;
    const hooks = new HookableCore();
    for (const handler of createHandlers(each.handlers, each)) hooks.hook("check", handler);
    return (event, context) => hooks.callHook("check", event, context);
  },

  emittery(each) {
    if (each.style === "sync") return null;
    const emitter = new Emittery();
    // Its listeners get one value, wrapped into an event object.
    for (const handler of createHandlers(each.handlers, each)) emitter.on("check", handler);
    return each.style === "parallel"
      ? (event, context) => emitter.emit("check", { event, context })
      : (event, context) => emitter.emitSerial("check", { event, context });
  },

  "filter and sort"(each) {
    const registry = [];
    for (const handler of createHandlers(each.handlers, each)) {
      registry.push({ hook: "check", priority: 0, handler });
    }
    for (let index = 0; index < 200; index += 1) {
      registry.push({ hook: `other ${index % 20}`, priority: 0, handler() {} });
    }
    const select = () =>
      registry.filter(({ hook }) => hook === "check").sort((a, b) => b.priority - a.priority);
    if (each.style === "sync") {
      return (event, context) => {
        for (const { handler } of select()) guarded(() => handler(event, context));
      };
    }
    if (each.style === "parallel") {
      return (event, context) =>
        Promise.all(select().map(async ({ handler }) => handler(event, context).catch(() => {})));
    }
    return async (event, context) => {
      for (const { handler } of select()) {
        try {
          await handler(event, context);
        } catch {}
      }
    };
  },

  "timer and race"(each) {
    if (each.style !== "sequential") return null;
    const handlers = createHandlers(each.handlers, each);
    return async (event, context) => {
      for (const handler of handlers) {
        const controller = new AbortController();
        let timer;
        const timeout = new Promise((_resolve, reject) => {
          timer = setTimeout(() => {
            controller.abort();
            reject(new Error("timeout"));
          }, 5_000);
        });
        try {
          const own = { ...context, pluginId: "plugin", signal: controller.signal };
          await Promise.race([handler(event, own), timeout]);
        } finally {
          clearTimeout(timer);
        }
      }
    };
  },
};

function guarded(call) {
  try {
    call();
  } catch {
    // The next handler still runs.
  }
}
