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

/** Notes the parts of a page that react to a pointer. */
const NOTE_LISTENERS = `
  globalThis.pressable = new Set();
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...others) {
    if (/^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|auxclick|contextmenu)$/.test(type)) {
      pressable.add(this);
    }
    return add.call(this, type, ...others);
  };`;

/** Parts that react to a pointer and not to a key: neither controls nor options, which the arrows of their field choose. */
const POINTER_ONLY = `[...pressable]
  .filter((part) => part instanceof Element && part.isConnected && part.checkVisibility())
  .filter((part) => !part.matches("dialog, [role=option]"))
  .filter((part) => part.tabIndex < 0 || !part.matches("button, a[href], input, select, textarea, summary"))
  .map((part) => part.outerHTML.slice(0, 90))`;

it("[UI-033] [UI-035] has no text outside its catalogue, and nothing that only a pointer reaches, in any view and dialog", async () => {
  await scene.send("hello", "agent:main:one");
  const settled = await scene.ask('write "hello" to notes.txt');
  const { digest } = await scene.client.call("approvals.get", { id: settled });
  await scene.client.call("approvals.resolve", { id: settled, digest, decision: "allow-always" });
  const id = await scene.ask("run `git push --force origin main`");
  await scene.client.call("memory.write", { target: "notes.md", content: "notes" });
  await scene.client.call("memory.write", { target: "old.md", content: "old notes" });
  await scene.client.call("memory.connect", {
    ...{ source: "notes.md", target: "old.md", type: "updates" },
  });
  await scene.client.call("memory.createSpace", { space: "seeds" });
  await scene.client.call("memory.setFact", { key: "city", value: "Bern" });
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
    // The fields of a line of the log.
    if (/^\w+=/.test(text)) return true;
    const sent = heard.join("\n").replaceAll('\\"', '"');
    // A key is sent as an object in an object.
    if (/^[\w.-]+$/.test(text) && text.split(".").every((part) => sent.includes(part))) return true;
    return (
      text.split(/ · |, /).every((part) => sent.includes(part)) ||
      COMMANDS.has(text) ||
      text === `openclaw replay ${runId}`
    );
  };
  await page.addInitScript(NOTE_LISTENERS);
  const hardCoded = async (place: string) => {
    expect.soft(await page.evaluate(POINTER_ONLY), place).toEqual([]);
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
    "/memory",
    "/memory?path=notes.md",
    "/memory?view=search&q=notes",
    "/memory?view=profile",
    "/memory?view=spaces&space=seeds",
    "/memory?view=connections",
    "/jobs",
    "/jobs?view=list",
    "/jobs?view=tasks",
    "/cron",
    "/cron?view=day&day=2026-11-30",
    "/logs",
    "/models",
    "/models?view=all",
    "/health",
    "/plugins",
    "/plugins?view=problems",
    "/plugins?view=tools",
    "/plugins?view=mcp",
    "/plugins?server=none",
    "/plugins?tool=read",
    "/plugins?id=guardrails",
    "/plugins?id=guardrails&view=settings",
    "/hooks",
    "/hooks?show=all",
    "/hooks?show=unusual",
    "/hooks?view=configured",
    "/hooks?hook=before_tool_call",
    "/channels",
    "/channels?view=people",
    "/channels?view=devices",
    "/channels?id=telegram",
    "/policy?tool=exec",
    "/policy?view=matrix",
    "/policy?view=what-if",
    "/usage?by=tool&period=month",
    "/usage?by=sender&unit=tokens&time=utc",
    "/usage?q=colour:red",
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
  // They were noted.
  expect(await page.evaluate<number>("pressable.size")).toBeGreaterThan(5);
  await page.addInitScript(() => sessionStorage.clear());
  await page.goto(scene.url);
  await page.locator("#token").waitFor();
  expect(await hardCoded("sign-in")).toEqual([]);
}, 240_000);

it("[UI-033] has keys for its views, its commands and the list of them, which are letters in a field, and can be switched off", async () => {
  const page = await scene.signedIn("/");
  const current = page.locator("nav.rail a[aria-current=page]");
  const dialog = page.getByRole("dialog");
  await page.keyboard.press("?");
  const everywhere = dialog.locator("section", { hasText: "Everywhere" }).locator("dl > div");
  const listed = await everywhere.evaluateAll((rows) =>
    rows.map((row) =>
      [...row.children]
        .flatMap((cell) => [...cell.childNodes])
        .map((node) => node.textContent ?? ""),
    ),
  );
  const places = listed.filter(([, first, second]) => first === "g" && second !== undefined);
  expect(places).toHaveLength(await page.locator("nav.rail ul a").count());
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  for (const [name = "", , letter = ""] of places.reverse()) {
    // The field of a conversation takes the focus when it appears.
    const go = async () => {
      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press("g");
      await page.keyboard.press(letter);
      return await current.innerText();
    };
    await expect.poll(go).toMatch(new RegExp(`^${name}`));
  }
  for (const key of ["Control+k", "Meta+k"]) {
    await page.keyboard.press(key);
    await dialog.getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  await page.keyboard.press("Control+k");
  await dialog.getByRole("combobox").fill("Sessions");
  await dialog.getByRole("option", { name: "Sessions" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sessions");
  // The key belongs to the view, which is loaded when it is opened.
  const find = page.getByLabel("Find");
  await find.waitFor();
  await page.keyboard.press("/");
  await expect.poll(() => find.evaluate((field) => field.matches(":focus"))).toBe(true);
  await page.keyboard.type("gn?");
  expect(await find.inputValue()).toBe("gn?");
  expect(await dialog.count()).toBe(0);
  expect(page.url()).toContain("/sessions");

  const press = async (...keys: readonly string[]) => {
    await page.evaluate("document.activeElement.blur()");
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("?");
  await dialog.getByRole("switch").press("Space");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await press("g", "n");
  // A key with Ctrl still works, after those without did nothing.
  await press("Control+k");
  await dialog.getByRole("combobox").waitFor();
  expect(page.url()).toContain("/sessions");
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  await press("g", "n");
  await press("?");
  expect(await dialog.getByRole("switch").isChecked()).toBe(false);
  expect(page.url()).toContain("/sessions");
  await dialog.getByRole("switch").press("Space");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await press("g", "n");
  await page.waitForURL(`${scene.url}/`);
});

/** Views of the contract with their URLs; the routines are below `/cron`, the configuration below `/settings`. */
const VIEWS = {
  Chat: "/chat",
  Approvals: "/approvals",
  Sessions: "/sessions",
  Plugins: "/plugins",
  Hooks: "/hooks",
  Policy: "/policy",
  Memory: "/memory",
  Jobs: "/jobs",
  Routines: "/cron",
  Logs: "/logs",
  Usage: "/usage",
  Settings: "/settings",
  Health: "/health",
};

it("[UI-001] has a URL for each view, which history and reload keep, and counts waiting requests live", async () => {
  const page = await scene.signedIn("/");
  const rail = page.locator("nav.rail");
  const current = rail.locator("a[aria-current=page]");
  const isAt = (path: string) => page.waitForURL((url) => url.pathname.startsWith(path));
  for (const [name, path] of Object.entries(VIEWS)) {
    await rail.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await isAt(path);
    await expect.poll(() => current.innerText()).toMatch(new RegExp(`^${name}`));
  }
  await page.goBack();
  await isAt("/settings");
  await page.goForward();
  await isAt("/health");
  await page.goto(`${scene.url}/hooks?show=all`);
  await page.reload();
  await expect.poll(() => page.getByLabel("Show").inputValue()).toBe("all");
  const counted = async () => {
    const { approvals } = await scene.client.call("approvals.list", {});
    const shown = await rail.getByRole("link", { name: /^Approvals/ }).innerText();
    return Number(/\d+/.exec(shown)?.[0] ?? 0) - approvals.length;
  };
  await expect.poll(counted).toBe(0);
  const id = await scene.ask('write "hello" to other.txt', "agent:main:counted");
  await expect.poll(counted).toBe(0);
  const { digest } = await scene.client.call("approvals.get", { id });
  await scene.client.call("approvals.resolve", { id, digest, decision: "deny" });
  await expect.poll(counted).toBe(0);
});

it("[UI-031] has the chosen theme before the first paint, follows the system otherwise, and moves nothing for who wants that", async () => {
  const context = await scene.context({ colorScheme: "dark", reducedMotion: "no-preference" });
  const page = await context.newPage();
  const scheme = () =>
    page.evaluate<string>("getComputedStyle(document.documentElement).colorScheme");
  const background = () =>
    page.evaluate<string>("document.body && getComputedStyle(document.body).backgroundColor");
  await page.goto(scene.url);
  await page.locator("#token").waitFor();
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
  await expect.poll(background).not.toBe(dark);
  const light = await background();
  await page.evaluate(`localStorage.setItem("openclaw.theme", "dark")`);
  // The theme must be there before the program of the page runs.
  await page.route("**/*.js", (route) =>
    /theme/.test(route.request().url()) ? route.continue() : undefined,
  );
  await page.reload({ waitUntil: "commit" });
  await expect.poll(scheme).toBe("dark");
  await expect.poll(background).toBe(dark);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.evaluate(`localStorage.setItem("openclaw.theme", "light")`);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.reload();
  await page.locator("#token").fill(scene.token);
  await page.locator("#token").press("Enter");
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await background()).toBe(light);
  const moving = `document.getAnimations().length + [...document.querySelectorAll("*")].filter((each) => {
    const { animationName, animationDuration, transitionDuration } = getComputedStyle(each);
    const lasts = (times) => times.split(", ").some((time) => parseFloat(time) > 0);
    return (animationName !== "none" && lasts(animationDuration)) || lasts(transitionDuration);
  }).length`;
  for (const path of ["/", "/runs", "/jobs", "/plugins", "/memory"]) {
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    expect.soft(await page.evaluate<number>(moving), path).toBe(0);
  }
});

/** Commands and files that a text names, and what a request does to what, of the request's title and parameters. */
const COMMANDS: ReadonlySet<string> = new Set([
  "openclaw chat",
  "openclaw console",
  "gateway.token",
  "~/.openclaw",
  "Write notes.txt",
]);
