import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type ChannelGuidanceConfig, createGuides } from "../src/guides.js";

const bundledDir = fileURLToPath(new URL("../skills", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "openclaw-guides-"));
const guides = (config: ChannelGuidanceConfig = {}) =>
  createGuides(config, { bundledDir, resolvePath: (path) => join(folder, path) });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("channel guides", () => {
  it.each(readdirSync(bundledDir))(
    "[EXT-001] %s describes the formatting of its channel in a few lines",
    (name) => {
      const text = guides().find(name.replace(/^channel-format-/, "")) ?? "";
      expect(text).not.toContain("---");
      expect(text.length).toBeGreaterThan(100);
      expect(text.length).toBeLessThan(900);
      for (const subject of ["Markup", "Length", "Links", "Mentions", "edia", "hreads"]) {
        expect(text, subject).toContain(subject);
      }
    },
  );

  it("[EXT-001] adds and replaces guides per channel and per agent by configuration", () => {
    writeFileSync(join(folder, "matrix.md"), "Matrix guide.\n");
    const configured = guides({
      guides: { matrix: { file: "matrix.md" }, slack: "Our own.", telegram: false },
      agents: { work: { slack: "For work." } },
    });
    expect(configured.find("matrix")).toBe("Matrix guide.");
    expect(configured.find("slack")).toBe("Our own.");
    expect(configured.find("slack", "work")).toBe("For work.");
    expect(configured.find("telegram")).toBeUndefined();
    expect(configured.find("discord", "work")).toBe(guides().find("discord"));
  });

  it("finds a guide in any letter case, with the same text each time", () => {
    const found = guides();
    expect(found.find("Telegram")).toBe(found.find("telegram"));
    const skill = readFileSync(join(bundledDir, "channel-format-telegram", "SKILL.md"), "utf8");
    expect(skill.trim().endsWith(`\n---\n${found.find("telegram")}`)).toBe(true);
  });

  it.each(["unknown", "", "../guides/slack", "__proto__", "constructor", "sl/ack"])(
    "finds no guide for a channel named %j",
    (channel) => expect(guides().find(channel)).toBeUndefined(),
  );

  it("reports channel and file when a configured guide cannot be read", () => {
    expect(() => guides({ guides: { matrix: { file: "missing.md" } } })).toThrow(
      /channel "matrix".*missing\.md/,
    );
  });
});
