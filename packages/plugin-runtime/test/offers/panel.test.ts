import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

/** Loads a plugin in a folder with the panel `page`, and returns its panels and diagnostics. */
async function loaded(
  register: (api: OpenClawPluginApi) => void,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "page/index.html": "<p>", "page/deep/a.js": "1", ...files });
  const { runtime } = createTestHost(
    [plugin(register)],
    {},
    {
      workspaceDir: folder.path,
      hostServices: { hosts: ["httpRoutes"] },
    },
  );
  onTestFinished(() => runtime.dispose());
  const { panels, diagnostics, plugins } = await runtime.load();
  return { folder: folder.path, panels, diagnostics, record: plugins[0] };
}

describe("registerPanel", () => {
  it("[SDK-523] reads the files of a folder, which are served below a path that cannot be guessed", async () => {
    const one = {
      id: "board",
      title: "Board",
      folder: "page",
      methods: ["guard.a"],
      events: ["b"],
    };
    const { panels, record, diagnostics } = await loaded((api) => api.registerPanel(one));
    const [panel] = panels;
    expect(panel).toMatchObject({ pluginId: "guard", methods: ["guard.a"], events: ["b"] });
    expect(panel?.path).toMatch(/^\/plugins\/guard\/ui\/board\/[\w-]{22}$/);
    expect([...(panel?.files.keys() ?? [])]).toEqual(["deep/a.js", "index.html"]);
    expect(panel?.files.get("deep/a.js")?.type).toMatch(/^text\/javascript/);
    expect(record?.panelIds).toEqual(["guard/board"]);
    expect(diagnostics).toEqual([]);
    const again = await loaded((api) => api.registerPanel(one));
    expect(again.panels[0]?.path).not.toBe(panel?.path);
  });

  it.each([
    ["an ID with other characters", { id: "A b" }, /id: expected 1 to 64 of a-z/],
    ["a long title", { title: "a".repeat(61) }, /expected at most 60 characters, got 61/],
    ["an absolute folder", { folder: "/etc" }, /relative to the folder of the plugin, got "\/etc"/],
    ["a folder outside", { folder: ".." }, /within that of the plugin, got ".."/],
    ["the folder of the plugin itself", { folder: "." }, /within that of the plugin, got "."/],
    ["a missing folder", { folder: "nowhere" }, /"nowhere" does not exist/],
    ["a folder without a page", { folder: "page/deep" }, /expected the file index.html/],
    ["a file", { folder: "page/index.html" }, /ENOTDIR/],
    ["an event with a space", { events: ["a b"] }, /expected a letter or digit/],
    ["methods that are no list", { methods: "guard.a" as never }, /expected a list of strings/],
  ])("[SDK-523] leaves out a panel with %s", async (_, wrong, problem) => {
    const { panels, diagnostics } = await loaded((api) =>
      api.registerPanel({ id: "board", title: "Board", folder: "page", ...wrong }),
    );
    expect(panels).toEqual([]);
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: "registration-invalid",
        message: expect.stringMatching(problem),
      }),
    ]);
  });

  it("[SDK-523] leaves out a panel with a link, or with too many files", async () => {
    const { panels, diagnostics } = await loaded((api) => {
      const page = api.resolvePath("page");
      symlinkSync("/etc/hostname", join(page, "link.txt"));
      api.registerPanel({ id: "linked", title: "Linked", folder: "page" });
      const many = api.resolvePath("many");
      mkdirSync(many);
      for (let index = 0; index < 201; index += 1) {
        writeFileSync(join(many, `${index}.txt`), "");
      }
      api.registerPanel({ id: "many", title: "Many", folder: "many" });
    });
    expect(panels).toEqual([]);
    const messages = diagnostics.map(({ message }) => message);
    expect(messages[0]).toContain("link.txt is a link");
    expect(messages[1]).toContain("at most 200 files");
  });
});
