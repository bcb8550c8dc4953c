import { existsSync } from "node:fs";
import { join } from "node:path";
import { addToken } from "@openclaw/configuration";
import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { violations, violationsInThemes } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

/** One blue pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==";

/** Tools with results of every kind, and a hook that gives guidance and blocks. */
const CAMERA = `export default { id: "camera", register(api) {
  const tool = (name, execute, more = {}) =>
    api.registerTool({ name, description: name, parameters: { type: "object" }, execute, ...more });
  tool("photo", () => ({
    content: [{ type: "text", text: "One photo." }, { type: "image", mimeType: "image/png", data: "${PNG}" }],
    details: { lens: { aperture: 2.8, maker: "<img src=x onerror=globalThis.__xss=1>" } },
  }));
  tool("slow", () => new Promise(() => {}), { timeoutMs: 1 });
  tool("held", () => new Promise(() => {}));
  tool("secret", () => ({ content: [] }));
  api.on("before_tool_call", ({ toolName }) =>
    toolName === "photo" ? { guidance: "Mind the <b>light</b>." }
    : toolName === "secret" ? { block: true, blockReason: "It is private." } : {}, { priority: 5 });
  api.on("before_tool_call", () => ({}), { scope: { toolNames: ["another"] } });
  api.on("after_tool_call", () => new Promise(() => {}), { timeoutMs: 1 });
  let tries = 0;
  api.on("after_tool_call", () => {
    tries += 1;
    if (tries % 2 === 1) throw new Error("once");
  }, { retry: { count: 1, backoffMs: 1 } });
} };`;

/** Workflow with a gate between its steps. */
const FLOW = `steps:
  - id: collect
    run: echo '<img src=x onerror=globalThis.__xss=1>'
  - id: confirm
    approval: Create the file?
  - id: create
    run: touch made-by-workflow
    when: $confirm.approved
`;

let model: ModelServer;
let scene: ConsoleScene;
let session = "";
let count = 0;

beforeAll(async () => {
  model = await startChatServer([]);
  const environment = { LLM_BASE_URL: model.baseURL, LLM_MODEL: "fake", LLM_API_KEY: "test-key" };
  const tools = { alsoAllow: ["plugin:lobster"], approval: { exec: "never" } };
  scene = await ConsoleScene.open({ tools }, environment, { camera: CAMERA }, async (place) => {
    place.writeWorkspace({ "flow.lobster": FLOW });
  });
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await model?.close();
});

beforeEach(() => {
  count += 1;
  session = `agent:main:acts${count}`;
});

afterEach(async () => {
  await scene.closePages();
  await scene.client.call("chat.abort", { sessionKey: session });
  model.clear();
  expect(scene.faults.splice(0)).toEqual([]);
});

const open = (key = session, options = {}, token?: string) =>
  scene.signedIn(`/chat/${encodeURIComponent(key)}`, options, token);
const log = (page: Page) => page.getByRole("log");
const say = async (page: Page, text: string) => {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
};
const callOf = (id: string, name: string) => ({ id, name, arguments: "{}" });
const card = (page: Page, name: string) =>
  log(page).locator("details.tool", { has: page.locator(".name", { hasText: name }) });
const state = (page: Page, name: string) => card(page, name).getByRole("img").first();
const isOff = async (page: Page, name: string, reason: string) => {
  const button = page.getByRole("button", { name, exact: true }).first();
  await expect.poll(() => button.getAttribute("aria-disabled")).toBe("true");
  expect(await button.getAttribute("title"), name).toContain(reason);
};

describe("a tool call", () => {
  it("[UI-008] [UI-510] is a card with its plugin, state, image, details, guidance, and links to its run", async () => {
    const calls = ["photo", "slow", "secret"].map((name) => callOf(name, name));
    model.reply({ toolCalls: calls }, { text: "All are done." });
    const page = await open();
    await say(page, "Use the camera");
    await log(page).getByText("All are done.").waitFor();
    for (const when of ["live", "after a reload"]) {
      const photo = card(page, "photo");
      await expect
        .poll(() => photo.locator(".top, summary").first().innerText())
        .toContain("camera");
      await expect
        .poll(() => state(page, "photo").getAttribute("aria-label"), { message: when })
        .toBe("done");
      expect(await state(page, "slow").getAttribute("aria-label"), when).toBe("timed out");
      expect(await state(page, "secret").getAttribute("aria-label"), when).toBe("blocked");
      const image = photo.getByRole("img", { name: "Image 1 of the result" });
      await expect.poll(() => image.getAttribute("src")).toBe(`data:image/png;base64,${PNG}`);
      await photo.getByText("Guidance of camera").waitFor();
      expect(await photo.innerText()).toContain("Mind the <b>light</b>.");
      await photo.getByText("Details", { exact: true }).click();
      await photo.getByText(/^lens/).click();
      await photo.getByText("aperture:").waitFor();
      expect(await photo.innerText()).toContain("<img src=x onerror=globalThis.__xss=1>");
      expect(await violations(page), when).toEqual([]);
      await page.reload();
      await log(page).getByText("All are done.").waitFor();
    }
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
    await card(page, "secret").locator("summary").first().click();
    await card(page, "secret").getByRole("link", { name: "Why" }).click();
    const inspector = page.getByRole("complementary", { name: "secret" });
    await inspector.getByText("refused", { exact: false }).first().waitFor();
    await page.goBack();
    await card(page, "photo").getByRole("link", { name: "Hooks" }).click();
    await page.getByRole("complementary", { name: "photo" }).waitFor();
    await page.getByRole("button", { name: "Everything", pressed: true }).waitFor();
  });

  it("[UI-008] is running, then interrupted when its turn is stopped, also after a reload", async () => {
    model.reply({ toolCalls: [callOf("held", "held")] });
    const page = await open();
    await say(page, "Hold it");
    await expect.poll(() => state(page, "held").getAttribute("aria-label")).toBe("running");
    await page.reload();
    await expect.poll(() => state(page, "held").getAttribute("aria-label")).toBe("running");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => state(page, "held").getAttribute("aria-label")).toMatch(/^interrupted/);
    await page.reload();
    await expect.poll(() => state(page, "held").getAttribute("aria-label")).toMatch(/^interrupted/);
  });
});

describe("a workflow", () => {
  it("[LOB-034] [UI-571] is a graph of its steps with their states, and its gate has the answers to it", async () => {
    const params = { action: "run", filePath: "flow.lobster" };
    const run = { id: "flow", name: "lobster", arguments: JSON.stringify(params) };
    model.reply({ toolCalls: [run] }, { text: "It waits for you." });
    const page = await open();
    await say(page, "Run the workflow");
    await log(page).getByText("It waits for you.").waitFor();
    const steps = card(page, "lobster").getByRole("list", { name: "Steps of the workflow" });
    const marks = () =>
      steps
        .getByRole("img")
        .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    for (const when of ["live", "after a reload"]) {
      await expect
        .poll(marks, { message: when })
        .toEqual(["done", "waits for approval", "waiting"]);
      expect(await steps.innerText()).toContain("when $confirm.approved");
      expect.soft(await violationsInThemes(page), when).toEqual([]);
      await page.reload();
      await log(page).getByText("It waits for you.").waitFor();
    }
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
    const made = () => existsSync(join(scene.place.workspace, "made-by-workflow"));
    expect(made()).toBe(false);
    model.reply({ text: "The file is there." });
    await card(page, "lobster")
      .getByRole("button", { name: /^Allow once/ })
      .press("Enter");
    await expect.poll(made).toBe(true);
    await card(page, "lobster").getByText("Allowed once by").waitFor();
  });
});

describe("the phases of a run", () => {
  it("[UI-022] are lanes with a bar for each handler, and marks for what its bar does not show", async () => {
    model.reply({ toolCalls: [callOf("one", "photo")] }, { text: "Done." });
    await scene.send("Take one", session);
    const { runs } = await scene.client.call("runs.list", {
      ...{ sessionKey: session, states: ["completed"] },
    });
    const page = await scene.signedIn(`/runs/${runs[0]?.runId}?detail=phases`);
    const lanes = page.getByRole("list", { name: "Phases" });
    const lane = (name: string) => lanes.getByRole("group", { name, exact: true });
    await lane("Model").getByRole("link").first().waitFor();
    const labels = async (name: string) => {
      const links = await lane(name).getByRole("link").all();
      return Promise.all(links.map((link) => link.getAttribute("aria-label")));
    };
    const tools = (await labels("Tools")).join("\n");
    expect(tools).toMatch(/^photo · /m);
    expect(tools).toMatch(/^camera · before_tool_call · priority 5 · .* · ok$/m);
    expect(tools).toMatch(
      /^camera · before_tool_call · priority 0 · .*skipped-scope.* · skipped$/m,
    );
    expect(tools).toMatch(/^camera · after_tool_call · .* · timeout · timed out$/m);
    expect(tools).toMatch(/^camera · after_tool_call · .* · 2 attempts$/m);
    for (const mark of ["timeout", "retry", "skipped"]) {
      expect(await lanes.locator(`circle.${mark}`).count(), mark).toBeGreaterThan(0);
    }
    expect(await violations(page)).toEqual([]);
    await lane("Tools")
      .getByRole("link", { name: /priority 5/ })
      .focus();
    await page.keyboard.press("Enter");
    const inspector = page.getByRole("complementary", { name: "before_tool_call" });
    await inspector.getByText("priority 5").waitFor();
    await page.getByLabel("Slower than").selectOption("1000");
    await page.getByText("No handler fits", { exact: false }).waitFor();
  });
});

describe("a message that is sent again", () => {
  it("[UI-005] [UI-519] is shown once when the events of its turn come before the answer to it", async () => {
    model.reply({ text: "One reply." });
    const held: (() => void)[] = [];
    const lose: (() => void)[] = [];
    let connections = 0;
    let hasEnded = false;
    const page = await scene.page();
    await page.addInitScript(
      (value) => sessionStorage.setItem("openclaw.token", value),
      scene.token,
    );
    await page.routeWebSocket(/./, (socket) => {
      const gateway = socket.connectToServer();
      connections += 1;
      const isFirst = connections === 1;
      let sentAs: unknown;
      let isLost = false;
      lose.push(() => {
        isLost = true;
        void Promise.all([socket.close(), gateway.close()]);
      });
      socket.onMessage((data) => {
        const { id, method } = JSON.parse(String(data));
        if (method === "chat.send") sentAs = id;
        if (!isLost) gateway.send(data);
      });
      gateway.onMessage((data) => {
        const { id, event } = JSON.parse(String(data));
        hasEnded ||= !isFirst && event === "chat.final";
        // The first connection loses everything after the message; the second one has the answer late.
        if (sentAs === undefined || (!isFirst && id !== sentAs)) socket.send(data);
        else if (isFirst) lose[0]?.();
        else held.push(() => socket.send(data));
      });
    });
    await page.goto(`${scene.url}/chat/${encodeURIComponent(session)}`);
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
    // A reply that is there twice for a moment is seen too.
    await page.evaluate(`
      globalThis.most = 0;
      new MutationObserver(() => {
        const shown = document.querySelector("[role=log]")?.innerText ?? "";
        most = Math.max(most, shown.split("One reply.").length - 1);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });`);
    await say(page, "Only once");
    await expect.poll(() => held.length, { timeout: 15_000 }).toBe(1);
    await expect.poll(() => hasEnded, { timeout: 15_000 }).toBe(true);
    for (const pass of held) pass();
    await log(page).getByText("One reply.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(await log(page).getByText("Only once", { exact: true }).count()).toBe(1);
    expect(await page.evaluate("most")).toBe(1);
  });
});

describe("the past of a conversation", () => {
  it("[UI-010] [UI-511] is moved, summarised and reset with buttons, which say why they are off", async () => {
    const page = await open();
    await page.getByText("Nothing was said here yet").waitFor();
    await isOff(page, "Undo", "There is no turn to take back.");
    await isOff(page, "Redo", "There is no turn to bring back.");
    await isOff(page, "Compact", "There is nothing to summarise.");
    model.reply({ text: "One." });
    await say(page, "First");
    await log(page).getByText("One.").waitFor();
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await expect.poll(() => button("Undo").getAttribute("aria-disabled")).toBe("false");
    await isOff(page, "Redo", "There is no turn to bring back.");
    await button("Undo").click();
    await log(page).getByText("One.").waitFor({ state: "detached" });
    await isOff(page, "Undo", "There is no turn to take back.");
    await page.reload();
    // The gateway knows it, so that a reload does not lose it.
    await expect.poll(() => button("Redo").getAttribute("aria-disabled")).toBe("false");
    await button("Redo").click();
    await log(page).getByText("One.").waitFor();
    for (const turn of [1, 2, 3]) {
      model.reply({ text: `Reply ${turn}.` });
      await scene.send(`Message ${turn}`, session);
    }
    model.reply({ text: "A summary of it." });
    await log(page).getByText("Reply 3.").waitFor();
    await expect.poll(() => button("Compact").getAttribute("aria-disabled")).toBe("false");
    await button("Compact").click();
    await page.getByText(/^The model now gets \d+ messages instead of \d+\./).waitFor();
    await button("Reset").click();
    const notice = page.locator(".toast");
    await notice.getByText(/ is reset$/).waitFor();
    await notice.getByRole("button").click();
    await log(page).getByText("Reply 3.").waitFor();
  });
});

describe("a token without a right", () => {
  it("[UI-038] is told what is missing, and the gateway rejects a forged call", async () => {
    model.reply({ text: "One." });
    await scene.send("Watch me", session);
    const file = join(scene.place.state, "openclaw.json");
    const { token } = await addToken(file, { name: "watcher", scopes: ["operator.read"] });
    const { baseHash } = await scene.client.call("config.get", {});
    await scene.client.call("config.reload", { hash: baseHash });
    const page = await open(session, {}, token);
    await log(page).getByText("One.").waitFor();
    const write = "Your token does not have operator.write.";
    for (const name of ["New session", "Undo", "Redo", "Compact", "Reset"]) {
      await isOff(page, name, write);
    }
    await page.getByText(write).waitFor();
    await page.goto(`${scene.url}/sessions`);
    await page.getByLabel("Select Watch me").check();
    for (const name of ["New session", "Label…", "Pin", "Archive", "Reset"]) {
      await isOff(page, name, write);
    }
    await isOff(page, "Delete", "operator.admin");
    const { runs } = await scene.client.call("runs.list", {
      ...{ sessionKey: session, states: ["completed"] },
    });
    await page.goto(`${scene.url}/runs/${runs[0]?.runId}`);
    for (const name of ["Replay r", "Fork… f"]) await isOff(page, name, write);
    await isOff(page, "What if… w", "operator.admin");
    await page.goto(`${scene.url}/plugins`);
    await isOff(page, "Install…", "operator.admin");
    for (const [method, parameters] of [
      ["sessions/delete", { sessionKey: session }],
      ["sessions/patch", { sessionKey: session, label: "forged" }],
      ["approvals/resolve", { id: "one", digest: "0".repeat(64), decision: "deny" }],
      ["plugins/disable", { id: "camera" }],
    ] as const) {
      const answer = await page.evaluate(
        async ([url, bearer, body]) => {
          const headers = {
            ...{ authorization: `Bearer ${bearer}`, "content-type": "application/json" },
            "idempotency-key": url,
          };
          const response = await fetch(url, { method: "POST", headers, body });
          return `${response.status} ${await response.text()}`;
        },
        [`/api/v1/${method}`, token, JSON.stringify(parameters)] as const,
      );
      expect(answer, method).toMatch(/^403 .*FORBIDDEN/);
    }
    expect(
      (await scene.client.call("sessions.get", { sessionKey: session })).label,
    ).toBeUndefined();
    // The browser logs the rejected requests.
    await expect.poll(() => scene.faults.length).toBe(4);
    expect(scene.faults.splice(0).join()).toContain("403");
  });

  it("[UI-003] shows the ID of a failed call next to its control, and the log of the gateway has it", async () => {
    model.reply({ text: "One." });
    await scene.send("First", session);
    const { runs } = await scene.client.call("runs.list", {
      ...{ sessionKey: session, states: ["completed"] },
    });
    const page = await scene.signedIn(`/runs/${runs[0]?.runId}/what-if`);
    await page.getByLabel("Configuration").fill("{ not json5");
    await page.getByRole("button", { name: "Replay with the changes" }).click();
    const note = page.getByRole("alert");
    const requestId = await note.locator("code").innerText();
    const { lines } = await scene.client.call("logs.tail", { limit: 200 });
    expect(
      JSON.stringify(lines.filter((line) => JSON.stringify(line).includes(requestId))),
    ).toContain("run.whatIf");
  });
});

describe("the list of sessions", () => {
  it("[UI-004] has only rows near the screen in the document when it is long", async () => {
    for (let index = 0; index < 230; index += 1) {
      await scene.client.call("sessions.create", { sessionKey: `agent:main:many${index}` });
    }
    const page = await open();
    const list = page.getByRole("navigation", { name: "Recent sessions" });
    const aside = page.getByRole("complementary", { name: "Sessions" });
    await list.getByRole("link").first().waitFor();
    await expect
      .poll(
        async () => {
          await aside.evaluate((element) => {
            element.scrollTop = element.scrollHeight;
          });
          return list.getByText("agent:main:many0", { exact: true }).count();
        },
        { timeout: 15_000 },
      )
      .toBe(1);
    expect(await list.getByRole("link").count()).toBeLessThan(100);
  });
});
