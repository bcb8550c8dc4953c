import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestGateway } from "../../support/gateway.js";
import { message } from "../../support/host.js";

/** Hooks that rewrite or replace the reply. */
const REWRITING: Readonly<Record<string, (api: OpenClawPluginApi) => void>> = {
  transform_response: (api) => api.on("transform_response", () => ({ content: "rewritten" })),
  message_sending: (api) => api.on("message_sending", () => ({ content: "rewritten" })),
  before_dispatch: (api) => api.on("before_dispatch", () => undefined),
};

/** Returns the previews and the reply of one message. */
async function ask(register: (api: OpenClawPluginApi) => void, streaming?: object) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  writeFileSync(join(folder.path, "openclaw.json"), JSON.stringify({ streaming }));
  const gateway = await startTestGateway(folder, { inlinePlugins: [{ id: "guard", register }] });
  onTestFinished(() => gateway.stop("command"));
  let previews = "";
  const shown: string[] = [];
  const outcome = await gateway.receive(message("hello"), {
    onEvent: (event) => {
      if (event.type === "text") previews += event.delta;
    },
    surface: {
      send: async ({ text = "" }) => {
        shown.push(text);
        return {};
      },
    },
  });
  expect(outcome.status).toBe("replied");
  return { previews, shown };
}

/** Handler that writes in capitals, and shows a reply so while it arrives. */
const shouting =
  (fields: object = {}) =>
  (api: OpenClawPluginApi): void => {
    api.on("message_sending", ({ content }) => ({ content: content.toUpperCase() }), {
      preview: () => {
        let held = "";
        return {
          push(delta) {
            const ready = held;
            held = delta;
            return ready.toUpperCase();
          },
          flush: () => held.toUpperCase(),
          ...fields,
        };
      },
    });
  };

describe("previews of a reply", () => {
  it("show the text while no hook rewrites it", async () => {
    const { previews, shown } = await ask(() => undefined);
    expect(previews).not.toBe("");
    expect(shown).toEqual([previews]);
  });

  it.each(Object.entries(REWRITING))(
    "[HCR-013] [TURN-028] show nothing while %s is in scope, unless streaming.previewBeforeHooks is true",
    async (hook, register) => {
      const guarded = await ask(register);
      expect(guarded.previews).toBe("");
      const lifted = await ask(register, { previewBeforeHooks: true });
      expect(lifted.previews).not.toBe("");
      const final = hook === "before_dispatch" ? lifted.previews : "rewritten";
      expect([guarded.shown, lifted.shown]).toEqual([[final], [final]]);
    },
  );

  it("[HCR-026] pass through the previews of the handlers, so that they are what is sent", async () => {
    const { previews, shown } = await ask(shouting());
    expect(previews).not.toBe("");
    expect(previews).toBe(previews.toUpperCase());
    expect(shown).toEqual([previews]);
  });

  it("[HCR-026] show nothing while one handler has no preview, or needs the complete reply", async () => {
    const both = await ask((api) => {
      shouting()(api);
      api.on("transform_response", () => undefined);
    });
    const complete = await ask((api) => {
      shouting()(api);
      api.on("transform_response", () => undefined, { preview: () => undefined });
    });
    for (const { previews, shown } of [both, complete]) {
      expect(previews).toBe("");
      expect(shown.join("")).not.toBe("");
    }
  });

  it("[HCR-026] end when a preview throws, and the complete reply is sent", async () => {
    const fails = () => {
      throw new Error("no idea");
    };
    const { previews, shown } = await ask(shouting({ push: fails, flush: fails }));
    expect(previews).toBe("");
    expect(shown.join("")).toMatch(/^[^a-z]+$/);
  });
});
