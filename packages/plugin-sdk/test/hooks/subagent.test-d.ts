import { describe, expectTypeOf, it } from "vitest";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("hooks of subagents", () => {
  it("subagent_spawning", () => {
    api.on("subagent_spawning", ({ agentId, mode, requester }) => {
      expectTypeOf(mode).toEqualTypeOf<"run" | "session">();
      expectTypeOf(requester?.channel).toEqualTypeOf<string | undefined>();
      return agentId === "main" ? { status: "ok" } : { status: "error", error: "main only" };
    });
    // @ts-expect-error a status is ok or error
    api.on("subagent_spawning", () => ({ status: "refused" }));
  });

  it("subagent_spawned", () => {
    api.on("subagent_spawned", ({ runId, resolvedModel }) => {
      expectTypeOf(runId).toEqualTypeOf<string>();
      expectTypeOf(resolvedModel).toEqualTypeOf<string | undefined>();
    });
    // @ts-expect-error what was spawned is not refused any more
    api.on("subagent_spawned", () => ({ status: "error" }));
  });

  it("subagent_delivery_target", () => {
    api.on("subagent_delivery_target", ({ requesterOrigin }) => ({
      origin: { channel: "telegram", to: requesterOrigin?.to ?? "me" },
    }));
    // @ts-expect-error an origin has no such field
    api.on("subagent_delivery_target", () => ({ origin: { chanel: "telegram" } }));
  });

  it("subagent_ended", () => {
    api.on("subagent_ended", ({ outcome, targetKind }) => {
      expectTypeOf(targetKind).toEqualTypeOf<"subagent" | "acp">();
      return outcome === "killed";
    });
    // @ts-expect-error no child ends like that
    api.on("subagent_ended", ({ outcome }) => outcome === "lost");
  });
});
