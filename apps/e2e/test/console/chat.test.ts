import { readFileSync } from "node:fs";
import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

/** Strings that would run where markup is trusted, and Markdown that would load or run something. */
const HOSTILE = [
  "<img src=x onerror=globalThis.__xss=1>",
  "<script>globalThis.__xss=1</script>",
  "<svg onload=globalThis.__xss=1>",
  '<p style="background:url(https://x.invalid/)" onclick="globalThis.__xss=1">styled</p>',
  "[link](javascript:globalThis.__xss=1)",
  "[data](data:text/html,<script>parent.__xss=1</script>)",
  "![picture](https://x.invalid/picture.png)",
  "<a href='javascript:globalThis.__xss=1'>here</a>",
  '<form action="https://x.invalid/"><input name="password"><button>Sign in</button></form>',
].join("\n\n");

/** Plugin that rewrites a reply which the page has already previewed. */
const REVISER = `
  import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
  export default definePluginEntry({
    id: "reviser",
    register(api) {
      api.on("transform_response", ({ content }) => ({ content: content.replaceAll("guess", "answer") }));
    },
  });`;

/** Counts frames, and notes in which of them a reply that streams has changed. */
const WATCH_FRAMES = `{
  globalThis.changedIn = [];
  let frame = 0;
  const next = () => {
    frame += 1;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.parentElement?.closest("[aria-busy=true] .prose")))
      globalThis.changedIn.push(frame);
  }).observe(document.querySelector("[role=log]"), { childList: true, subtree: true });
}`;

/** Distance in pixels between what the page shows of a conversation and its end. */
const FROM_END = `(({ scrollHeight, scrollTop, clientHeight }) =>
  Math.round(scrollHeight - scrollTop - clientHeight))(document.querySelector(".chat .scroll"))`;
/** Blocks messages about the merger. */
const GUARD = `export default { id: "guard", register(api) {
  api.on("before_agent_run", ({ prompt }) => prompt.includes("merger-on-friday")
    ? { outcome: "block", reason: "the insider list", message: "I may not speak of this." }
    : { outcome: "pass" });
} };`;
const PATCH = { path: "src/invoice.ts", old_string: "tax = 2", new_string: "tax = 19" };

let model: ModelServer;
let scene: ConsoleScene;
let session = "";
let count = 0;

beforeAll(async () => {
  model = await startChatServer([]);
  scene = await ConsoleScene.open(
    {
      tools: { approval: { edit: "never" } },
      gateway: { shutdownTimeoutMs: 1000 },
      streaming: { previewBeforeHooks: true },
      plugins: { entries: { guard: { hooks: { allowConversationAccess: true } } } },
    },
    { LLM_BASE_URL: model.baseURL, LLM_MODEL: "fake", LLM_API_KEY: "test-key" },
    { guard: GUARD, reviser: REVISER },
  );
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await model?.close();
});

beforeEach(() => {
  count += 1;
  session = `agent:main:chat${count}`;
});

afterEach(async () => {
  await scene.closePages();
  await scene.client.call("chat.abort", { sessionKey: session });
  model.clear();
  expect(scene.faults.splice(0)).toEqual([]);
});

const open = (key = session, options = {}) =>
  scene.signedIn(`/chat/${encodeURIComponent(key)}`, options);
const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const say = async (page: Page, text: string) => {
  await field(page).fill(text);
  await page.keyboard.press("Enter");
};
const log = (page: Page) => page.getByRole("log");
const shown = async (page: Page) => (await log(page).innerText()).replaceAll(/\d\d:\d\d/g, "");

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A reply that stops in the middle until the test continues it. */
function heldReply(text: string) {
  const { opened, open: goOn } = gate();
  model.reply({ text, hold: { afterEvents: 2, until: opened } });
  return goOn;
}

describe("a conversation", () => {
  it("[UI-042] [UI-009] [UI-520] [UI-006] streams a reply, queues a message behind it, and shows what a reload shows", async () => {
    const goOn = heldReply("The first reply is **here**.\n\n- one\n- two");
    model.reply({ text: "The second one." }, { text: "The third one." });
    const page = await open();
    await say(page, "Tell me");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await log(page).getByText("The", { exact: false }).last().waitFor();
    await say(page, "And then");
    await page.getByText("queued, 1 of 1").waitFor();
    await say(page, "And after that");
    const waiting = (text: string) => log(page).getByRole("article").filter({ hasText: text });
    await waiting("And then").getByText("queued, 1 of 2").waitFor();
    await waiting("And after that").getByText("queued, 2 of 2").waitFor();
    goOn();
    await log(page).getByText("The third one.").waitFor();
    expect(await log(page).locator("strong").innerText()).toBe("here");
    expect(await log(page).getByRole("listitem").allInnerTexts()).toEqual(["one", "two"]);
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    const before = await shown(page);
    await page.reload();
    await log(page).getByText("The third one.").waitFor();
    expect(await shown(page)).toBe(before);
  });

  it("[UI-005] shows a message as pending, then as stored, and sends it again after a lost connection as the same", async () => {
    const { opened, open: goOn } = gate();
    model.reply({ text: "One reply.", hold: { afterEvents: 0, until: opened } });
    const answered = gate();
    const keys: unknown[] = [];
    const lost: (() => void)[] = [];
    const held: (() => void)[] = [];
    let isHolding = false;
    let isReleased = false;
    const page = await scene.page();
    await page.addInitScript(
      (value) => sessionStorage.setItem("openclaw.token", value),
      scene.token,
    );
    await page.routeWebSocket(/./, (socket) => {
      const gateway = socket.connectToServer();
      const isFirst = lost.length === 0;
      lost.push(() => void Promise.all([socket.close(), gateway.close()]));
      let sentAs: unknown;
      socket.onMessage((data) => {
        const { id, method, params } = JSON.parse(String(data));
        if (method === "chat.send") {
          sentAs = id;
          keys.push(params.idempotencyKey);
        }
        gateway.send(data);
      });
      gateway.onMessage((data) => {
        const { id, type } = JSON.parse(String(data));
        // The answer and what follows it are lost with the first connection; events come late over the second one.
        isHolding ||= !isFirst && !isReleased && String(data).includes('"chat.started"');
        if (isHolding && type === "event" && !isReleased) held.push(() => socket.send(data));
        else if (sentAs === undefined) socket.send(data);
        else if (isFirst && id === sentAs) answered.open();
        else if (!isFirst) socket.send(data);
      });
    });
    await page.goto(`${scene.url}/chat/${encodeURIComponent(session)}`);
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
    await say(page, "Only once");
    const message = log(page).getByRole("article").filter({ hasText: "Only once" });
    await message.getByText("pending", { exact: true }).waitFor();
    await answered.opened;
    expect(await message.getByText("pending", { exact: true }).count()).toBe(1);
    lost[0]?.();
    await message.getByText("stored", { exact: true }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0]]);
    for (const pass of held) pass();
    isReleased = true;
    goOn();
    await log(page).getByText("One reply.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(await message.count()).toBe(1);
    const { messages } = await scene.client.call("chat.history", { sessionKey: session });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("[UI-006] replaces what it has previewed by the final text", async () => {
    const goOn = heldReply("guess is the first word");
    const page = await open();
    await say(page, "Tell me");
    await log(page).getByText("guess", { exact: true }).waitFor();
    goOn();
    await log(page).getByText("answer is the first word", { exact: true }).waitFor();
    expect(await shown(page)).not.toContain("guess");
  });

  it("[UI-006] renders a reply once in a frame, and follows it until the user scrolls up", async () => {
    const lines = Array.from({ length: 80 }, (_, line) => `Line ${line} of it.`);
    model.reply({ text: lines.join("\n\n") });
    await scene.send("Begin", session);
    const page = await open();
    let deltas = 0;
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        if (String(payload).includes('"chat.delta"')) deltas += 1;
      });
    });
    await page.reload();
    await log(page).getByText("Line 79 of it.").waitFor();
    const newest = page.getByRole("button", { name: "Newest messages" });
    await page.evaluate(WATCH_FRAMES);
    model.reply({ text: `${lines.join("\n\n")}\n\nThe second end.` });
    await say(page, "Go on");
    await log(page).getByText("The second end.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(FROM_END)).toBeLessThan(2);
    expect(await newest.count()).toBe(0);
    const changed = await page.evaluate<number[]>("changedIn");
    expect(changed.length).toBeGreaterThan(0);
    expect(changed).toEqual([...new Set(changed)]);
    expect(changed.length).toBeLessThan(deltas);

    const goOn = heldReply(`Third ${lines.join("\n\n")}\n\nThe third end.`);
    await say(page, "And on");
    await log(page).getByText("Thi", { exact: false }).last().waitFor();
    await log(page).hover();
    await page.mouse.wheel(0, -600);
    await newest.waitFor();
    const position = () => page.evaluate(`document.querySelector(".chat .scroll").scrollTop`);
    const before = await position();
    goOn();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(FROM_END)).toBeGreaterThan(1500);
    expect(await position()).toBe(before);
    await newest.click();
    await log(page).getByText("The third end.").waitFor();
    await newest.waitFor({ state: "detached" });
  });

  it("[UI-009] [UI-521] keeps what a stopped turn has written, marked as stopped", async () => {
    heldReply("Some words that were written and others that never were");
    const page = await open();
    await say(page, "Tell me");
    await log(page).getByText("Some", { exact: false }).waitFor();
    await field(page).press("Escape");
    await log(page).getByText("Stopped.").waitFor();
    expect(await shown(page)).toContain("Some");
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.waitFor({ state: "detached" });
    heldReply("Other words that were written, and then no more of them");
    await say(page, "Tell me more");
    await log(page).getByText("Other", { exact: false }).waitFor();
    await stop.click();
    const stopped = log(page).getByRole("article").filter({ hasText: "Other" });
    await stopped.getByText("Stopped.").waitFor();
    await stop.waitFor({ state: "detached" });
    const states = ["interrupted" as const];
    const { runs } = await scene.client.call("runs.list", { sessionKey: session, states });
    expect(runs.length).toBe(2);
    await page.reload();
    await stopped.getByText("Stopped.").waitFor();
  });

  it("[UI-012] shows of a blocked message only the text that replaces it, and the plugin", async () => {
    const page = await open();
    await say(page, "Tell me of the merger-on-friday");
    await log(page).getByText("Blocked by guard.").waitFor();
    await log(page).getByText("I may not speak of this.").waitFor();
    await expect.poll(() => shown(page)).not.toContain("merger-on-friday");
    const network: (string | Promise<string>)[] = [];
    const seen = ({ payload }: { payload: string | Buffer }) => network.push(payload.toString());
    page.on("websocket", (socket) => socket.on("framereceived", seen).on("framesent", seen));
    page.on("request", (request) => network.push(`${request.url()} ${request.postData() ?? ""}`));
    page.on("response", (response) => network.push(response.text().catch(() => "")));
    await page.reload();
    await log(page).getByText("Blocked by guard.").waitFor();
    expect(await shown(page)).toMatch(
      /^main\s+Fork\s+run\s+I may not speak of this\.\s+Blocked by guard\.$/,
    );
    const pages = [await page.content()];
    const run = log(page).getByRole("link", { name: "run", exact: true });
    const href = await run.getAttribute("href");
    for (const view of ["", "?detail=everything", "?view=conversation", "?view=journal"]) {
      await page.goto(`${scene.url}${href}${view}`);
      await page.getByRole("heading", { name: "(message erased)" }).waitFor();
      if (view.endsWith("conversation")) await page.getByText("Blocked by guard.").waitFor();
      await page.waitForLoadState("networkidle");
      pages.push(await page.content());
    }
    const received = await Promise.all(network);
    expect(received.join("\n")).toContain("I may not speak of this.");
    for (const hidden of ["merger-on-friday", "the insider list"]) {
      expect([...received, ...pages].filter((each) => each.includes(hidden))).toEqual([]);
    }
  });

  it("[UI-522] shows a change as a difference, and reads that follow each other in one line", async () => {
    const call = (id: string, name: string, value: object) => ({
      toolCalls: [{ id, name, arguments: JSON.stringify(value) }],
    });
    model.reply(
      call("one", "read", { path: "src/invoice.ts" }),
      call("two", "read", { path: "package.json" }),
      call("three", "edit", { path: PATCH.path, old_string: "tax = 2", new_string: "tax = 19" }),
      { text: "Done." },
    );
    const page = await open();
    await say(page, "Fix the tax");
    await log(page).getByText("Done.").waitFor();
    await page.getByText("2 files: invoice.ts, package.json").waitFor();
    const edit = log(page).locator("details.tool").filter({ hasText: "edit" }).last();
    expect(await edit.locator(".l.del").innerText()).toContain("tax = 2");
    expect(await edit.locator(".l.add").innerText()).toContain("tax = 19");
    expect(await violations(page)).toEqual([]);
  });

  it("[UI-523] keeps a draft over a reload, a switch of sessions and in a second tab", async () => {
    const page = await open();
    await field(page).fill("half a");
    const second = await page.context().newPage();
    await second.addInitScript(
      (value) => sessionStorage.setItem("openclaw.token", value),
      scene.token,
    );
    await second.goto(page.url());
    await expect.poll(() => field(second).inputValue()).toBe("half a");
    await field(page).fill("half a thought");
    await expect.poll(() => field(second).inputValue()).toBe("half a thought");
    await page.goto(`${scene.url}/chat/${encodeURIComponent(`${session}-other`)}`);
    await expect.poll(() => field(page).inputValue()).toBe("");
    await page.goBack();
    await expect.poll(() => field(page).inputValue()).toBe("half a thought");
    await page.reload();
    await expect.poll(() => field(page).inputValue()).toBe("half a thought");
  });

  it("[UI-524] has a request in its place, which an answer here or elsewhere closes", async () => {
    const call = (id: string) => ({
      toolCalls: [{ id, name: "write", arguments: '{"path":"notes.txt","content":"hello"}' }],
    });
    model.reply(call("one"), { text: "Written." }, call("two"), { text: "Not written." });
    const page = await open();
    const second = await open();
    await say(page, "Write it");
    const card = log(page).getByRole("article", { name: "write waits for your approval" });
    await card.getByText("hello").waitFor();
    await log(second).getByRole("button", { name: "Allow once" }).waitFor();
    await card.getByRole("button", { name: "Allow once" }).click();
    await log(page).getByText("Written.", { exact: true }).waitFor();
    await log(second).getByText("Written.", { exact: true }).waitFor();
    await log(second).getByRole("button", { name: "Allow once" }).waitFor({ state: "detached" });
    await say(second, "Write it again");
    await log(page).getByRole("button", { name: "Deny" }).waitFor();
    const { approvals } = await scene.client.call("approvals.list", {});
    const [approval] = approvals.filter(({ sessionKey }) => sessionKey === session);
    if (approval === undefined) throw new Error("there is no request");
    const { id, digest } = approval;
    await scene.client.call("approvals.resolve", { id, digest, decision: "deny" });
    for (const each of [page, second]) {
      await log(each).getByText("Not written.").waitFor();
      await log(each).getByRole("button", { name: "Deny" }).waitFor({ state: "detached" });
    }
  });

  it("[UI-503] shows a request in its own turn, where the calls of others have the same ID", async () => {
    const write = (content: string) => ({
      toolCalls: [
        { id: "one", name: "write", arguments: JSON.stringify({ path: "notes.txt", content }) },
      ],
    });
    const other = `${session}-other`;
    model.reply(write("before"), { text: "Written." }, write("its own"), write("of another"));
    const id = await scene.ask("Write it", session);
    const { digest } = await scene.client.call("approvals.get", { id });
    const ends = scene.client.events({ names: ["chat.final"] });
    await scene.client.call("approvals.resolve", { id, digest, decision: "allow-once" });
    await ends.next();
    await ends.return();
    await scene.ask("Write it again", session);
    await scene.ask("Write another", other);
    const page = await open();
    const card = log(page).getByRole("article", { name: "write waits for your approval" });
    await card.getByText("its own").waitFor();
    expect(await card.count()).toBe(1);
    expect(await card.innerText()).not.toContain("of another");
    await scene.client.call("chat.abort", { sessionKey: other });
  });

  it("[UI-525] completes the names of commands with the keyboard", async () => {
    const page = await open();
    await page.getByText("Nothing was said here yet").waitFor();
    await field(page).pressSequentially("/vers");
    await page.getByRole("option", { name: "/version" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await field(page).inputValue()).toBe("/version");
    await page.keyboard.press("Enter");
    await log(page)
      .getByText(/plugin API/)
      .waitFor();
    // The next turn, which reads the conversation again, leaves the answer in its place.
    model.reply({ text: "A reply after the command." });
    await say(page, "Hello");
    await log(page).getByText("A reply after the command.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(await shown(page)).toMatch(/\/version.*plugin API.*Hello.*A reply after/s);
  });

  it("[UI-526] takes the last turn back and brings it back, finds words, and is saved as a file", async () => {
    model.reply({ text: "A first reply about apples." }, { text: "A second one about pears." });
    const page = await open();
    await say(page, "One");
    await log(page).getByText("apples").waitFor();
    await say(page, "Two");
    await log(page).getByText("pears").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await log(page).getByText("pears").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Redo" }).click();
    await log(page).getByText("pears").waitFor();
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("searchbox", { name: "Find in the conversation" }).fill("APPLES");
    await page.getByText("1 of 1").waitFor();
    expect(await page.locator("[data-marked]").innerText()).toContain("apples");
    await page.keyboard.press("Escape");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    const text = readFileSync(await (await saved).path(), "utf8");
    expect(text).toMatch(/## You.*\n\nOne\n\n## main.*\n\nA first reply about apples\./);
  });

  it("[UI-007] has headings, lists, tables, links, and code that a button copies", async () => {
    const code = "const one = 1;\nconst two = 2;";
    const link = "[a page](https://x.invalid/page)";
    const table = "| a | b |\n|---|---|\n| 1 | 2 |";
    model.reply({
      text: `# Title\n\n- one\n- two\n\n${table}\n\n${link}\n\n\`\`\`js\n${code}\n\`\`\``,
    });
    await scene.send("Show all of it", session);
    const page = await open();
    await log(page).getByRole("heading", { name: "Title" }).waitFor();
    expect(await log(page).getByRole("listitem").allInnerTexts()).toEqual(["one", "two"]);
    expect(await log(page).getByRole("cell").allInnerTexts()).toEqual(["1", "2"]);
    const shownLink = log(page).getByRole("link", { name: "a page" });
    expect(await shownLink.getAttribute("href")).toBe("https://x.invalid/page");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await log(page).getByRole("button", { name: "Copy" }).click();
    await log(page).getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied.trim()).toBe(code);
  });

  it("[UI-527] [UI-007] runs nothing that a model writes, loads nothing, and shows it as text", async () => {
    model.reply({ text: HOSTILE });
    const page = await scene.page();
    await page.addInitScript(`
      sessionStorage.setItem("openclaw.token", ${JSON.stringify(scene.token)});
      globalThis.reports = [];
      addEventListener("securitypolicyviolation", (event) => reports.push(event.violatedDirective));
    `);
    await page.goto(`${scene.url}/chat/${encodeURIComponent(session)}`);
    await say(page, HOSTILE);
    await page.getByText("data", { exact: true }).waitFor();
    expect(await shown(page)).toContain("<svg onload=globalThis.__xss=1>");
    for (const link of await log(page).locator(".prose a").all()) {
      expect(await link.getAttribute("href")).toBe("https://x.invalid/picture.png");
    }
    expect(await log(page).locator(".prose :is(img, svg, script, form, [style])").count()).toBe(0);
    const seen = await page.evaluate(() => [
      Reflect.get(globalThis, "__xss"),
      Reflect.get(globalThis, "reports"),
    ]);
    expect(seen).toEqual([undefined, []]);
  });

  it("[UI-528] [UI-523] shows each message once after a reload and a restart in the middle of a reply, and keeps the draft", async () => {
    heldReply("It began before the reload");
    const page = await open();
    await say(page, "Begin");
    await log(page).getByText("It", { exact: false }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    expect(await log(page).getByText("Begin", { exact: true }).count()).toBe(1);
    await page.waitForLoadState("networkidle");
    await field(page).fill("half a thought");
    // The turn that the restart interrupts is answered by the next model call.
    model.reply({ text: "It ended after the restart." });
    await scene.restartGateway();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(await field(page).inputValue()).toBe("half a thought");
    expect(await log(page).getByText("Begin", { exact: true }).count()).toBe(1);
    // A message can be forked once it is stored, which the page learns after the last text.
    const forks = () => log(page).getByRole("button", { name: "Fork" }).count();
    await expect.poll(forks).toBe(2);
    const before = await shown(page);
    await page.reload();
    await log(page).getByText("Begin", { exact: true }).waitFor();
    await expect.poll(forks).toBe(2);
    expect(await shown(page)).toBe(before);
  });

  it("[UI-529] has only entries on the screen in the document, and reads earlier ones at its start", async () => {
    const text = "Words of a reply. ".repeat(20);
    for (let turn = 0; turn < 60; turn += 1) {
      model.reply({ text: `Reply ${turn}. ${text}` });
      await scene.send(`Message ${turn}`, session);
    }
    const page = await open();
    await log(page).getByText("Reply 59.").waitFor();
    expect(await log(page).locator(".entry").count()).toBeLessThan(40);
    await expect
      .poll(
        async () => {
          await page.evaluate(`document.querySelector(".chat .scroll").scrollTop = 0`);
          return log(page).getByText("Message 0", { exact: true }).count();
        },
        { timeout: 15_000 },
      )
      .toBe(1);
    expect(await log(page).locator(".entry").count()).toBeLessThan(40);
    await page.getByRole("button", { name: "Newest messages" }).click();
    await log(page).getByText("Reply 59.").waitFor();
  });

  it("[UI-032] [UI-034] has no violation that axe-core finds, in both themes, and fits into 320 px", async () => {
    model.reply({ text: "| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst one = 1;\n```" });
    await scene.send("Show a table", session);
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open(session, { colorScheme });
      await log(page).getByText("const one").waitFor();
      expect(await violations(page), colorScheme).toEqual([]);
      await page.getByRole("button", { name: /^main · / }).click();
      await page.getByRole("dialog").getByLabel("Model").waitFor();
      expect(await violations(page), `dialog ${colorScheme}`).toEqual([]);
      await page.keyboard.press("Escape");
      for (const width of [320, 390, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect(wide, `at ${width}`).toBeLessThanOrEqual(width);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await violations(page), `narrow ${colorScheme}`).toEqual([]);
      await page.goto(`${scene.url}/chat`);
      await page.getByRole("navigation", { name: "Recent sessions" }).waitFor();
      expect(await violations(page), `sessions ${colorScheme}`).toEqual([]);
    }
  });
});
