import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ConsoleScene } from "../../src/console/scene.js";

/** Key and secret of a browser, as RFC 8291 has them. */
const KEYS = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};
const ENDPOINT = "https://push.example/one";

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

it("[UI-502] switches notifications on, shows one without a word of the request, and ends them at sign-out", async () => {
  const context = await scene.context();
  // The browser of a test has no push service and shows no notifications; what it answers is given.
  await context.addInitScript(`
    if (location.protocol === "http:") {
      sessionStorage.setItem("openclaw.token", ${JSON.stringify(scene.token)});
    }
    Object.defineProperty(Notification, "permission", { value: "granted" });
    Notification.requestPermission = async () => "granted";
    let subscription = null;
    PushManager.prototype.getSubscription = async () => subscription;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => subscription = {
      endpoint: ${JSON.stringify(ENDPOINT)},
      toJSON: () => (${JSON.stringify({ endpoint: ENDPOINT, keys: KEYS })}),
      unsubscribe: async () => { subscription = null; return true; },
    };
  `);
  const page = await context.newPage();
  await page.goto(`${scene.url}/approvals`);
  const started = context.waitForEvent("serviceworker");
  await page.getByRole("button", { name: "Notify me here" }).click();
  await page.getByRole("button", { name: "Stop notifications" }).waitFor();
  const subscriptions = async () => (await scene.client.call("push.list", {})).subscriptions;
  expect(await subscriptions()).toMatchObject([{ service: "push.example" }]);

  const worker = await started;
  const shown = await worker.evaluate<unknown>(`(async () => {
    const shown = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body, data }) =>
      shown.push({ title, body, data });
    const data = JSON.stringify({ approval: "one", text: "a very private text" });
    self.dispatchEvent(new PushEvent("push", { data }));
    return shown;
  })()`);
  expect(shown).toEqual([{ title: "A decision waits for you", data: { approval: "one" } }]);

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect.poll(subscriptions, { timeout: 10_000 }).toEqual([]);
});

it("[UI-502] is installable: the page has a manifest with a name, a start and an icon", async () => {
  const page = await scene.signedIn("/");
  const session = await page.context().newCDPSession(page);
  const { url, errors, data = "" } = await session.send("Page.getAppManifest");
  expect(url).toBe(`${scene.url}/console/console.webmanifest`);
  expect(errors).toEqual([]);
  expect(JSON.parse(data)).toMatchObject({ name: "OpenClaw", start_url: "/", scope: "/" });
});
