import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ConsoleScene } from "../../src/console/scene.js";

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open();
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

/** Every text that a person sees or hears on the page, except the names of keys. */
const READ_TEXTS = `(() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement.closest("kbd, script, noscript") === null) {
      texts.push(walker.currentNode.data);
    }
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) {
      if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
    }
  }
  return texts.map((text) => text.trim()).filter((text) => /\\p{L}/u.test(text));
})()`;

it("[UI-035] has no text outside its catalogue, in any view and dialog", async () => {
  await scene.send("hello", "agent:main:one");
  const settled = await scene.ask('write "hello" to notes.txt');
  const { digest } = await scene.client.call("approvals.get", { id: settled });
  await scene.client.call("approvals.resolve", { id: settled, digest, decision: "allow-always" });
  const id = await scene.ask("run `git push --force origin main`");
  const { runs } = await scene.client.call("runs.list", {
    sessionKey: "agent:main:one",
    states: ["completed"],
  });
  const runId = runs[0]?.runId;
  expect(runId).toBeDefined();
  const page = await scene.page();
  const heard: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => heard.push(String(payload))),
  );
  await page.addInitScript((token) => {
    sessionStorage.setItem("openclaw.token", token);
    localStorage.setItem("openclaw.locale", "pseudo");
  }, scene.token);
  /** Names that the page shows as they are: what the gateway sent, and words of commands. */
  const isName = (text: string) => {
    if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return true;
    // A step of the journal.
    if (text.startsWith('{\n  "kind": ')) return true;
    const sent = heard.join("\n").replaceAll('\\"', '"');
    // A key is sent as an object in an object.
    if (/^[\w.-]+$/.test(text) && text.split(".").every((part) => sent.includes(part))) return true;
    return (
      text.split(/ · |, /).every((part) => sent.includes(part)) ||
      COMMANDS.has(text) ||
      text === `openclaw replay ${runId}`
    );
  };
  const hardCoded = async (place: string) => {
    const texts = await page.evaluate<string[]>(READ_TEXTS);
    expect(texts.filter((text) => text.includes("⟦")).length, place).toBeGreaterThan(5);
    // The letters of the pseudo-locale are not of the alphabet.
    return texts.filter((text) => /[a-z]/i.test(text) && !text.includes("⟦") && !isName(text));
  };
  for (const path of [
    "/",
    "/approvals",
    `/approvals/${id}`,
    `/approvals/${settled}`,
    "/approvals/history",
    "/approvals/grants",
    `/approve/${id}`,
    "/sessions",
    "/plugins",
    "/plugins?view=problems",
    "/plugins?id=guardrails",
    "/plugins?id=guardrails&view=settings",
    "/settings/approvals",
    "/settings/agents?q=model",
    "/settings/json5",
    "/chat",
    `/chat/${encodeURIComponent("agent:main:one")}`,
    "/runs",
    `/runs/${runId}`,
    `/runs/${runId}?view=conversation`,
    `/runs/${runId}?view=journal`,
    `/runs/${runId}/what-if`,
    `/runs/${runId}/compare/${runId}`,
  ]) {
    await page.goto(scene.url + path);
    await page.locator("footer.status[data-link=live] .end b").first().waitFor();
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    expect.soft(await hardCoded(path), path).toEqual([]);
  }
  for (const key of ["?", "Control+k"]) {
    await page.keyboard.press(key);
    await page.getByRole("dialog").waitFor();
    expect.soft(await hardCoded(key), key).toEqual([]);
    await page.keyboard.press("Escape");
  }
  for (const [path, key] of [
    [`/runs/${runId}`, "f"],
    [`/runs/${runId}`, "c"],
    [`/runs/${runId}`, "r"],
    [`/chat/${encodeURIComponent("agent:main:one")}`, "d"],
  ] as const) {
    await page.goto(scene.url + path);
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    await page.locator(".runhead, .msg").first().waitFor();
    // A letter in the field of a message is a letter.
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press(key);
    await page.locator("dialog[open], .note[data-s=done], .changes").first().waitFor();
    expect.soft(await hardCoded(key), key).toEqual([]);
  }
  await page.addInitScript(() => sessionStorage.clear());
  await page.goto(scene.url);
  await page.locator("#token").waitFor();
  expect(await hardCoded("sign-in")).toEqual([]);
});

/** Commands and files that a text names, and what a request does to what, of the request's title and parameters. */
const COMMANDS: ReadonlySet<string> = new Set([
  "openclaw chat",
  "openclaw console",
  "gateway.token",
  "~/.openclaw",
  "Write notes.txt",
]);
