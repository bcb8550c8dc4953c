import { readFileSync } from "node:fs";
import { createPluginRuntime } from "@openclaw/plugin-runtime";
import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../../../docs/author/migrating.md", import.meta.url), "utf8");
const [, section = ""] = page.split("## Hook points of IronClaw");
const points = [...section.matchAll(/^\| `(\w+)` \| `(\w+)` \|$/gm)].map(
  ([, point = "", hook = ""]) => [point, hook] as const,
);
const ignore = () => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

describe("IronClaw hook points", () => {
  it("[HCR-017] map to seven hooks of the catalog, one to one", () => {
    expect(Object.fromEntries(points)).toEqual({
      beforeInbound: "message_receiving",
      beforeOutbound: "message_sending",
      beforeToolCall: "before_tool_call",
      onSessionStart: "session_start",
      onSessionEnd: "session_end",
      transformResponse: "transform_response",
      transcribeAudio: "transcribe_audio",
    });
    const hooks = points.map(([, hook]) => hook);
    expect(new Set(hooks).size).toBe(hooks.length);
    expect(HOOK_NAMES).toEqual(expect.arrayContaining(hooks));
  });

  it("are distinguished from typing errors: the diagnostic names the current hook", async () => {
    const runtime = createPluginRuntime({
      config: {},
      logger: SILENT,
      inline: [
        {
          id: "moved",
          register(api) {
            for (const [point] of points) Reflect.apply(api.on, api, [point, ignore]);
          },
        },
      ],
    });
    const { diagnostics } = await runtime.load();
    const hints = diagnostics
      .filter(({ code }) => code === "hook-of-other-version")
      .map(({ hint }) => hint);
    expect(hints).toEqual(points.map(([, hook]) => `it is the hook "${hook}" here`));
    await runtime.dispose();
  });
});
