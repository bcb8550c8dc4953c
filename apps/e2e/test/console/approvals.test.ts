import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { openclawProcess } from "../../src/openclaw-process.js";

const FORCE_PUSH = "run `git push --force origin main`";
const WRITE = 'write "hello" to notes.txt';
/** Strings that a model, a tool or a sender can put on a page, each of which would run where markup is trusted. */
const HOSTILE = [
  "<img src=x onerror=globalThis.__xss=1>",
  "<script>globalThis.__xss=1</script>",
  "<svg onload=globalThis.__xss=1>",
  "<iframe srcdoc='<script>parent.__xss=1</script>'>",
  "javascript:globalThis.__xss=1",
  "{{constructor.constructor('globalThis.__xss=1')()}}",
];

/** Plugin that asks the person for input when its command is used, and tells what it was given. */
const ASKING = `
import { appendFileSync } from "node:fs";
export default {
  id: "asking",
  register(api) {
    api.approvals.onResolved(({ decision, input }) => {
      appendFileSync(api.rootDir + "/given.jsonl", JSON.stringify({ decision, input }) + "\\n");
    });
    api.registerCommand({
      name: "place",
      description: "asks for a place",
      acceptsArgs: true,
      async handler({ args, sessionKey }) {
        const form = {
          type: "object",
          properties: {
            name: { type: "string", title: "Name of the place", minLength: 2 },
            size: { type: "integer", default: 3 },
            kind: { type: "string", enum: ["town", "lake"], enumNames: ["A town", "A lake"] },
            open: { type: "boolean" },
            tags: { type: "array", items: { type: "string", enum: ["old", "quiet"] } },
          },
          required: ["name"],
        };
        const page = { type: "object", properties: {} };
        const input = args === "page"
          ? { message: "Connect your account.", schema: page, url: "https://example.com/connect?a=1" }
          : { message: "Which place?", schema: form };
        const request = { title: "MCP server maps asks for input", description: input.message, severity: "info" };
        const asked = await api.approvals.submit({ ...request, sessionKey, input });
        return { text: asked.id ?? asked.reason };
      },
    });
  },
};
`;

let scene: ConsoleScene;

beforeAll(async () => {
  const rule = { prefix: ["date"], decision: "ask", match: ["date"], note: "It is slow." };
  scene = await ConsoleScene.open(
    { plugins: { entries: { approvals: { config: { rules: [rule] } } } } },
    {},
    { asking: ASKING },
  );
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  const { approvals } = await scene.client.call("approvals.list", {});
  for (const { id, digest } of approvals) {
    await scene.client.call("approvals.resolve", { id, digest, decision: "deny" });
  }
  expect(scene.faults.splice(0)).toEqual([]);
});

/** Makes a request expire, as after half an hour without an answer. */
function expire(id: string): void {
  const database = new DatabaseSync(join(scene.place.state, "openclaw.db"), { timeout: 10_000 });
  database.prepare("update approvals set expires_at = created_at where id = ?").run(id);
  database.close();
}

const stateOf = async (id: string) => (await scene.client.call("approvals.get", { id })).state;
const grants = async () => (await scene.client.call("approvals.grants", {})).grants;

describe("sign-in", () => {
  it("[UI-037] takes a token that is typed, keeps it for the tab if asked to, and forgets it at sign-out", async () => {
    const page = await scene.page();
    await page.goto(scene.url);
    await page.getByLabel("Gateway token").fill("0123456789abcdef01234567");
    await page.keyboard.press("Enter");
    await page.getByText("the gateway does not know this token").waitFor();
    await page.getByLabel("Gateway token").fill(scene.token);
    await page.getByLabel("Keep it until the tab closes").check();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    const kept = await page.evaluate<unknown>(
      "({ local: JSON.stringify(localStorage), cookie: document.cookie, url: location.href })",
    );
    expect(JSON.stringify(kept)).not.toContain(scene.token);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Gateway token").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.reload();
    await page.getByLabel("Gateway token").waitFor();
  });

  it("[UI-450] [UI-037] takes the one-time ticket of `openclaw console`, which it removes at once, for a session that survives a reload", async () => {
    const { stdout } = await openclawProcess(["console"], scene.place);
    const [, ticket = ""] = stdout.trim().split("/#ticket=");
    const page = await scene.page();
    await page.goto(`${scene.url}/approvals#ticket=${ticket}`);
    await page.getByText("Live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${scene.url}/approvals`);
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(scene.token);

    const second = await scene.page();
    await second.goto(`${scene.url}/#ticket=${ticket}`);
    await second.getByText("this ticket is unknown, used or older than 60 s").waitFor();
    // The browser logs the rejected request.
    expect(scene.faults.splice(0)).toEqual([expect.stringContaining("401")]);
  });
});

describe("the inbox", () => {
  it("[UI-013] [APPR-025] shows the commands, the reason and the time of a request, and only the answers that it permits", async () => {
    const id = await scene.ask(FORCE_PUSH);
    const page = await scene.signedIn(`/approvals/${id}`);
    const detail = page.getByRole("article");
    await detail.getByText("it discards commits or uncommitted work").waitFor();
    expect(await detail.locator(".argv li").allInnerTexts()).toEqual([
      expect.stringContaining("git push --force origin main"),
    ]);
    expect(await detail.innerText()).toContain("agent:main:main");
    expect(await detail.innerText()).toMatch(/\d+ min left/);
    expect(await detail.getByRole("button").allInnerTexts()).toEqual([
      expect.stringContaining("Deny"),
      "With a note…",
      "Allow once…",
    ]);
    expect(await page.title()).toMatch(/^\(1\) Approvals/);
  });

  it("[UI-465] [APPR-025] [APPR-036] shows a command word by word, and the rule that asks with its file and line", async () => {
    const id = await scene.ask("run `date -u '+%H %M'`");
    const page = await scene.signedIn(`/approvals/${id}`);
    const words = page.locator(".argv .words > span");
    await words.first().waitFor();
    expect(await words.allInnerTexts()).toEqual(["date", "-u", "+%H %M"]);
    const why = page.locator(".why");
    await why.getByText("Rule rules[0] of approvals").waitFor();
    await why.getByText("openclaw.json:1", { exact: true }).waitFor();
  });

  it("[EXT-361] [EXT-503] fills in the fields of a form, again when the gateway rejects them, and confirms a page", async () => {
    // A command begins no session.
    await scene.send("hello", "agent:main:main");
    const id = await scene.ask("/place form");
    const page = await scene.signedIn(`/approvals/${id}`);
    await page.getByRole("article").getByText("Which place?").first().waitFor();
    await page.getByRole("button", { name: "Fill in…" }).waitFor();
    await page.keyboard.press("y");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the place").fill("x");
    expect(await dialog.getByLabel("size (optional)").inputValue()).toBe("3");
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Send" }).click();
    await page.getByText("APPROVAL_INPUT_INVALID").first().waitFor();
    expect(await stateOf(id)).toBe("pending");

    await page.getByRole("button", { name: "Fill in…" }).click();
    await dialog.getByLabel("Name of the place").fill("Ulm");
    await dialog.getByLabel("kind (optional)").selectOption({ label: "A lake" });
    await dialog.getByLabel("open (optional)").selectOption("true");
    await dialog.getByLabel("quiet").check();
    await dialog.getByRole("button", { name: "Send" }).click();
    await page.getByText("Allowed once by").waitFor();

    const other = await scene.ask("/place page");
    await page.goto(`${scene.url}/approvals/${other}`);
    const link = page.getByRole("link", { name: "https://example.com/connect?a=1" });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Allowed once by").waitFor();
    const given = () =>
      readFileSync(join(scene.place.state, "extensions/asking/given.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
    await expect.poll(() => given().length).toBe(2);
    expect(given()).toEqual([
      {
        decision: "allow-once",
        input: { name: "Ulm", size: 3, kind: "lake", open: true, tags: ["quiet"] },
      },
      { decision: "allow-once", input: {} },
    ]);
    // The gateway answers a rejected value with 400, which the browser logs.
    expect(scene.faults.splice(0).every((fault) => fault.includes("400"))).toBe(true);
  });

  it("[UI-042] [UI-466] denies with a note, which the request shows afterwards", async () => {
    const id = await scene.ask(WRITE);
    const page = await scene.signedIn(`/approvals/${id}`);
    await page.getByRole("button", { name: "With a note…" }).waitFor();
    await page.keyboard.press("Shift+N");
    await page.getByRole("dialog").getByRole("textbox").fill("Write to docs/ instead.");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Control+Enter");
    await page.getByText("Denied by").waitFor();
    await page.getByRole("article").getByText("Write to docs/ instead.").waitFor();
    const { note } = await scene.client.call("approvals.get", { id });
    expect(note).toBe("Write to docs/ instead.");
  });

  it("[UI-467] has a page for one request on a phone, which also shows what was decided and what timed out", async () => {
    const id = await scene.ask(FORCE_PUSH);
    const { code } = await scene.client.call("approvals.get", { id });
    const page = await scene.signedIn(`/approve/${code.toLowerCase()}`, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole("button", { name: "Allow once…" }).waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(wide).toBeLessThanOrEqual(390);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Deny", exact: false }).first().click();
    await page.getByText("Denied by").waitFor();
    expect(await stateOf(id)).toBe("denied");

    const late = await scene.ask(WRITE);
    expire(late);
    await page.goto(`${scene.url}/approve/${late}`);
    await page.getByText("Timed out, denied").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    await page.goto(`${scene.url}/approve/NOSUCH`);
    await page.getByText("APPROVAL_NOT_FOUND").waitFor();
  });

  it("[UI-016] decides with the keyboard alone, and moves to the next request", async () => {
    const first = await scene.ask(WRITE, "agent:main:one");
    const second = await scene.ask(WRITE, "agent:main:two");
    const page = await scene.signedIn("/approvals");
    // Keys decide the request that is shown.
    const isShown = async (session: string) => {
      const article = page.getByRole("article");
      await article.getByText(session, { exact: true }).waitFor();
      await article.getByRole("button", { name: "Deny" }).waitFor();
    };
    await isShown("agent:main:two");
    const third = await scene.ask(WRITE, "agent:main:three");
    await page.getByText("main asks: Write file?, warning").waitFor({ state: "attached" });
    const { digest } = await scene.client.call("approvals.get", { id: third });
    await scene.client.call("approvals.resolve", { id: third, digest, decision: "deny" });
    await page.locator(`.ap-list a[href$="${second}"]`).click();
    await page.waitForURL(`**/approvals/${second}`);
    await isShown("agent:main:two");
    await page.keyboard.press("j");
    await page.waitForURL(`**/approvals/${first}`);
    await isShown("agent:main:one");
    await page.keyboard.press("y");
    await page.getByText("Allowed once by").waitFor();
    expect(await stateOf(first)).toBe("allowed-once");
    await page.keyboard.press("k");
    await page.waitForURL(`**/approvals/${second}`);
    await isShown("agent:main:two");
    await page.keyboard.press("n");
    await page.getByText("Denied by").waitFor();
    expect(await stateOf(second)).toBe("denied");
  });

  it("[UI-015] has no key that allows a critical request, and asks a second time for its code", async () => {
    const id = await scene.ask(FORCE_PUSH);
    const page = await scene.signedIn(`/approvals/${id}`);
    await page.getByRole("button", { name: "Allow once…" }).waitFor();
    await page.keyboard.press("y");
    await page.keyboard.press("a");
    expect(await stateOf(id)).toBe("pending");
    await page.getByRole("button", { name: "Allow once…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Allow once" }).click({ force: true });
    expect(await stateOf(id)).toBe("pending");
    const { code } = await scene.client.call("approvals.get", { id });
    await dialog.getByRole("textbox").fill(code);
    await dialog.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("Allowed once by").waitFor();
    expect(await stateOf(id)).toBe("allowed-once");
  });

  it("[UI-015] [APPR-023] shows what always covers before it is confirmed, and revokes the grant after the time for undoing", async () => {
    const id = await scene.ask(WRITE);
    const page = await scene.signedIn(`/approvals/${id}`);
    // Keys decide a request once it is shown, which is after the connection opened.
    await page.getByRole("button", { name: "Allow once" }).waitFor();
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog");
    expect(await dialog.innerText()).toMatch(/write in .* and the folders below it/);
    await dialog.getByRole("button", { name: "Allow and remember" }).click();
    await page.getByText("Always allowed by").waitFor();
    await page.getByRole("link", { name: "Grants" }).click();
    await page.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("button", { name: /^Revoke/ }).click();
    expect(await grants()).toHaveLength(1);
    // Leaving the page does what waits for its undo.
    await page.goto(`${scene.url}/console/licenses.txt`);
    await expect.poll(grants, { timeout: 60_000 }).toEqual([]);
  });

  it("[UI-015] revokes a grant at sign-out, without the time for undoing", async () => {
    const id = await scene.ask(WRITE);
    const { digest } = await scene.client.call("approvals.get", { id });
    await scene.client.call("approvals.resolve", { id, digest, decision: "allow-always" });
    const page = await scene.signedIn("/approvals/grants");
    await page.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Gateway token").waitFor();
    await expect.poll(grants, { timeout: 4000 }).toEqual([]);
  });

  it("[UI-014] says who decided a request elsewhere, and never that this page did", async () => {
    const id = await scene.ask(WRITE);
    const page = await scene.signedIn(`/approvals/${id}`);
    await page.getByRole("button", { name: "Allow once" }).waitFor();
    const { digest } = await scene.client.call("approvals.get", { id });
    await scene.client.call("approvals.resolve", { id, digest, decision: "deny" });
    await page.getByText("Denied by").waitFor();
    expect(await page.getByRole("button", { name: "Allow once" }).count()).toBe(0);
    expect(await page.getByRole("article").innerText()).not.toContain("Allowed");
  });

  it("[UI-014] [APPR-010] shows two operators who decide at once the same outcome, and whose decision was not used", async () => {
    const id = await scene.ask(WRITE);
    const pages = [
      await scene.signedIn(`/approvals/${id}`),
      await scene.signedIn(`/approvals/${id}`),
    ] as const;
    const [one, other] = pages.map((page) => page.getByRole("article"));
    const allow = one?.getByRole("button", { name: "Allow once" });
    const deny = other?.getByRole("button", { name: "Deny" });
    await Promise.all([allow?.waitFor(), deny?.waitFor()]);
    // Both pages wait for the same moment, so that neither hears of the other's decision before its own.
    const moment = Date.now() + 500;
    const press = (button: { click(): void }, at: number) => {
      let now = Date.now();
      while (now < at) now = Date.now();
      button.click();
    };
    await Promise.all([allow?.evaluate(press, moment), deny?.evaluate(press, moment)]);
    const word = { "allowed-once": "Allowed once by", denied: "Denied by" };
    await expect.poll(() => stateOf(id)).not.toBe("pending");
    const state = await stateOf(id);
    if (state !== "allowed-once" && state !== "denied") throw new Error(`it is ${state}`);
    for (const page of pages) await page.getByText(word[state]).waitFor();
    const loser = state === "denied" ? pages[0] : pages[1];
    await loser.getByText("Your decision was not used.").waitFor();
    const winner = state === "denied" ? pages[1] : pages[0];
    expect(await winner.getByText("Your decision was not used.").count()).toBe(0);
  });

  it("[UI-464] closes the connection of a tab that is hidden for 5 minutes, and continues at once when it is shown", async () => {
    const page = await scene.page();
    await page.clock.install();
    const sockets: { isClosed(): boolean }[] = [];
    page.on("websocket", (socket) => sockets.push(socket));
    await page.addInitScript(
      (value) => sessionStorage.setItem("openclaw.token", value),
      scene.token,
    );
    await page.goto(`${scene.url}/approvals`);
    await page.getByText("Live", { exact: true }).waitFor();
    const show = (state: "hidden" | "visible") =>
      page.evaluate(`Object.defineProperty(document, "visibilityState", {
        value: ${JSON.stringify(state)}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));`);
    await show("hidden");
    await page.clock.fastForward(4 * 60_000);
    expect(sockets.map((socket) => socket.isClosed())).toEqual([false]);
    await page.clock.fastForward(61_000);
    await page.getByText("Paused", { exact: true }).waitFor();
    await expect.poll(() => sockets.map((socket) => socket.isClosed())).toEqual([true]);
    const id = await scene.ask(WRITE);
    await show("visible");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator(`.ap-list a[href$="${id}"]`).waitFor();
    expect(sockets).toHaveLength(2);
  });

  it("[UI-042] [UI-002] [UI-014] shows a lost connection, and after a restart of the gateway the same requests, of which the one that is shown is answered", async () => {
    const id = await scene.ask(WRITE);
    const page = await scene.signedIn(`/approvals/${id}`);
    // A font that is still loading when the gateway stops would be a failed request.
    await page.waitForLoadState("networkidle");
    const restarted = scene.restartGateway();
    await page.getByText("Reconnecting", { exact: true }).waitFor();
    await restarted;
    await page.getByText("Live", { exact: true }).waitFor();
    // A request that arrives now is first in the list, and not the one that is answered.
    const newest = await scene.ask('write "hello" to newest.txt', "agent:main:newest");
    await page.locator(`.ap-list a[href$="${newest}"]`).waitFor();
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("Allowed once by").waitFor();
    expect(await stateOf(id)).toBe("allowed-once");
    expect(await stateOf(newest)).toBe("pending");
  });
});

describe("the first view", () => {
  it("[UI-452] says in one sentence what waits, and has each waiting request one click from its place", async () => {
    const page = await scene.signedIn("/");
    await page.getByText("Nothing waits for you.").waitFor();
    const id = await scene.ask(FORCE_PUSH);
    await page.getByRole("link", { name: "1 decision" }).waitFor();
    const usage = page.getByRole("region", { name: "Cost today" });
    const { groups } = await scene.client.call("usage.query", { groupBy: "month" });
    const calls = groups.reduce((sum, { count }) => sum + count, 0);
    await expect.poll(() => usage.innerText()).toContain(String(calls));
    await page.getByRole("link", { name: "Review" }).click();
    await page.waitForURL(`**/approvals/${id}`);
  });

  it("[UI-505] answers a request in its place, and leads to one that has to be read first", async () => {
    const id = await scene.ask(WRITE);
    const critical = await scene.ask(FORCE_PUSH, "agent:main:release");
    const page = await scene.signedIn("/");
    const waiting = page.getByRole("table", { name: "Waiting for you" });
    await waiting.getByRole("row").nth(1).waitFor();
    expect(await waiting.getByRole("button").allTextContents()).toEqual(["Deny", "Allow once"]);
    await waiting.getByRole("button", { name: /^Allow once/ }).click();
    await waiting.getByText(/allowed once/).waitFor();
    expect(await stateOf(id)).toBe("allowed-once");
    expect(await stateOf(critical)).toBe("pending");
    await page.getByRole("link", { name: "1 decision" }).waitFor();
  });
});

describe("the history", () => {
  it("[UI-013] [UI-508] is filtered by outcome, tool, decider and text in the gateway, and its chain is checked", async () => {
    for (const [index, text] of [WRITE, 'write "hello" to other.txt', FORCE_PUSH].entries()) {
      const id = await scene.ask(text, `agent:main:history${index}`);
      const { digest } = await scene.client.call("approvals.get", { id });
      const decision = index === 0 ? "allow-once" : "deny";
      await scene.client.call("approvals.resolve", { id, digest, decision });
    }
    const page = await scene.signedIn("/approvals/history");
    const rows = page.locator(".ahist .row.act");
    await rows.nth(2).waitFor();
    await page.getByLabel("Find").fill("OTHER.txt");
    await page.getByText("1 request", { exact: true }).waitFor();
    await page.getByLabel("Find").fill("");
    await page.getByLabel("Tool").selectOption("exec");
    await page.getByLabel("Outcome").selectOption("denied");
    await page.getByLabel("Decided by").selectOption({ index: 1 });
    await rows.getByText("Destructive command").first().waitFor();
    await page.reload();
    await rows.getByText("Destructive command").first().waitFor();
    expect(await page.getByLabel("Outcome").inputValue()).toBe("denied");
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText(/entries, chain intact/).waitFor();
  });
});

describe("every page", () => {
  it.each([
    ["empty", false],
    ["with data", true],
  ])("[UI-032] has no violation that axe-core finds, in both themes, %s", async (_, hasData) => {
    if (hasData) await scene.ask(FORCE_PUSH);
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await scene.signedIn("/", { colorScheme });
      for (const path of ["/", "/approvals", "/approvals/history", "/approvals/grants"]) {
        await page.goto(scene.url + path);
        await page.getByText("Live", { exact: true }).waitFor();
        expect(await violations(page), `${path} ${colorScheme}`).toEqual([]);
      }
    }
  });

  it("[UI-032] has no dialog with a violation that axe-core finds, in both themes", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await scene.signedIn("/", { colorScheme });
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      expect(await violations(page), `keys ${colorScheme}`).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").waitFor();
      expect(await violations(page), `palette ${colorScheme}`).toEqual([]);
    }
    const page = await scene.page();
    await page.goto(scene.url);
    await page.getByLabel("Gateway token").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("[UI-034] needs no horizontal scrolling from 320 px on", async () => {
    const id = await scene.ask(WRITE);
    const page = await scene.signedIn("/approvals");
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of [
        "/",
        "/approvals",
        `/approvals/${id}`,
        `/approve/${id}`,
        "/approvals/history",
      ]) {
        await page.goto(scene.url + path);
        await page.locator("h1").waitFor();
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
      }
    }
  });

  it("[UI-036] runs nothing that a model puts on it, and nothing that its policy reports", async () => {
    for (const [index, text] of HOSTILE.entries()) {
      await scene.ask(`write ${JSON.stringify(text)} to note-${index}.txt`, `agent:main:x${index}`);
    }
    const page = await scene.page();
    await page.addInitScript(`
      sessionStorage.setItem("openclaw.token", ${JSON.stringify(scene.token)});
      globalThis.reports = [];
      addEventListener("securitypolicyviolation", (event) => reports.push(event.violatedDirective));
    `);
    const { approvals } = await scene.client.call("approvals.list", {});
    expect(approvals).toHaveLength(HOSTILE.length);
    for (const { id, params } of approvals) {
      await page.goto(`${scene.url}/approvals/${id}`);
      await page.getByRole("article").waitFor();
      const { content } = params as { content: string };
      expect(await page.getByRole("article").innerText()).toContain(content);
      const seen = await page.evaluate(() => [
        Reflect.get(globalThis, "__xss"),
        Reflect.get(globalThis, "reports"),
      ]);
      expect(seen).toEqual([undefined, []]);
    }
  });
});
