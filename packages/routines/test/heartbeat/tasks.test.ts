import { describe, expect, it } from "vitest";
import { hasTask } from "../../src/heartbeat/tasks.js";

describe("HEARTBEAT.md", () => {
  it.each([
    "",
    "\n  \r\n\t",
    "# Title\n## Subtitle\n### Section",
    "# Checklist\n- [ ]\n- [x]",
    "-\n*\n+\n1.\n2)",
    "* [X]",
    "<!-- x -->",
    "<!-- unclosed\n- [ ] check the mail",
    "<!-- a --># b <!-- c",
  ])("[JOB-035] has no task in %j", (text) => {
    expect(hasTask(text)).toBe(false);
  });

  it.each([
    "- [ ] Check email",
    "- [x] Check email",
    "<!-- x -->\n- [ ] real",
    "look at the inbox",
    "# Title\n1. look",
    "#tag",
    "- - look",
  ])("[JOB-035] has a task in %j", (text) => {
    expect(hasTask(text)).toBe(true);
  });
});
