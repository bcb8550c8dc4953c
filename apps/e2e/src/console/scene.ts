import { connectGateway, type GatewayConnection } from "@openclaw/client";
import type { BrowserContext, Page } from "playwright-core";
import { startBrowser } from "../browser.js";
import type { GatewayProcess } from "../openclaw-process.js";
import { emptyPlace, type Place } from "../place.js";
import { startGateway } from "../warm-process.js";

/** Time in milliseconds in which a page does what a test waits for. */
const PATIENCE_MS = 15_000;

/** A gateway with the web console, and a browser. */
export class ConsoleScene implements AsyncDisposable {
  readonly place: Place;
  readonly #browser: Awaited<ReturnType<typeof startBrowser>>;
  #gateway: GatewayProcess;
  #client: GatewayConnection;
  /** Faults that no page may have: errors of scripts, failed requests, reports of the policy. */
  readonly faults: string[] = [];

  private constructor(
    place: Place,
    browser: Awaited<ReturnType<typeof startBrowser>>,
    gateway: GatewayProcess,
  ) {
    this.place = place;
    this.#browser = browser;
    this.#gateway = gateway;
    this.#client = clientOf(gateway);
  }

  /**
   * Starts the gateway and the browser.
   * @param configuration - configuration of the gateway
   * @param environment - variables of the gateway
   * @param plugins - sources of plugins by their IDs
   * @param prepare - writes further files before the gateway starts
   */
  static async open(
    configuration: object = {},
    environment: Readonly<Record<string, string>> = {},
    plugins: Readonly<Record<string, string>> = {},
    prepare?: (place: Place) => Promise<void>,
  ): Promise<ConsoleScene> {
    const place = emptyPlace(environment);
    for (const [id, source] of Object.entries(plugins)) place.installPlugin(id, source);
    place.writeState({ "openclaw.json": JSON.stringify(configuration) });
    place.writeWorkspace({
      "package.json": '{ "version": "2.4.0" }\n',
      "src/invoice.ts": "export const net = 1;\nexport const tax = 2;\n",
    });
    await prepare?.(place);
    const [browser, gateway] = await Promise.all([startBrowser(), startGateway(place)]);
    return new ConsoleScene(place, browser, gateway);
  }

  /** URL of the gateway. */
  get url(): string {
    return this.#gateway.url;
  }

  /** Token of the gateway. */
  get token(): string {
    return this.#gateway.token;
  }

  /** Connection of another client, at which a person decides requests. */
  get client(): GatewayConnection {
    return this.#client;
  }

  /** Stops the gateway, and starts it again on the same port. */
  async restartGateway(): Promise<void> {
    const { port } = new URL(this.url);
    this.#client.close();
    await this.#gateway.end("SIGTERM");
    this.#gateway = await startGateway(this.place, ["--port", port]);
    this.#client = clientOf(this.#gateway);
    await this.#client.ready();
  }

  /**
   * Sends a message whose turn asks for a decision.
   * @param text - message to the demo model, for example "run `date`"
   * @param sessionKey - session of the message
   * @returns ID of the request
   */
  async ask(text: string, sessionKey = "main"): Promise<string> {
    await this.#client.ready();
    const asked = this.#client.events({ names: ["approval.requested"] });
    await this.#client.call("chat.send", { sessionKey, text });
    const { value } = await asked.next();
    await asked.return();
    if (value === undefined) throw new Error("the connection ended before the request");
    return value.payload.id;
  }

  /**
   * Sends a message and waits for the end of its turn.
   * @param text - message
   * @param sessionKey - session of the message
   */
  async send(text: string, sessionKey: string): Promise<void> {
    await this.#client.ready();
    const ends = this.#client.events({ names: ["chat.final", "chat.error"] });
    await this.#client.call("chat.send", { sessionKey, text });
    for await (const { payload } of ends) {
      if (payload.sessionKey === sessionKey) return;
    }
    throw new Error("the connection ended before the turn");
  }

  /**
   * Opens a page in a separate browser profile.
   * @param options - size, theme and others
   */
  async page(options: Parameters<typeof this.context>[0] = {}): Promise<Page> {
    return (await this.context(options)).newPage();
  }

  /**
   * Opens a separate browser profile, without the storage of another.
   * @param options - size, theme and others
   */
  async context(
    options: Parameters<Awaited<ReturnType<typeof startBrowser>>["newContext"]>[0] = {},
  ): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on("weberror", (error) => this.faults.push(error.error().message));
    context.on("console", (message) => {
      if (message.type() === "error" && !isLostConnection(message.text())) {
        this.faults.push(message.text());
      }
    });
    return context;
  }

  /**
   * Opens the console with the token in the storage of the tab.
   * @param path - path of a view
   * @param options - size, theme and others
   * @param token - token; that of the gateway when absent
   */
  async signedIn(
    path: string,
    options: Parameters<typeof this.context>[0] = {},
    token = this.token,
  ): Promise<Page> {
    const page = await this.page(options);
    await page.addInitScript((value) => sessionStorage.setItem("openclaw.token", value), token);
    await page.goto(this.url + path);
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
    return page;
  }

  /** Closes every page, with its browser. */
  async closePages(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.#browser.close();
    await this.#gateway[Symbol.asyncDispose]();
    this.place[Symbol.dispose]();
  }
}

function clientOf({ url, token }: GatewayProcess): GatewayConnection {
  const client = { id: "console-scene", version: "1", mode: "automation" } as const;
  return connectGateway({ url, token, client, approver: true });
}

/** A restarting gateway accepts no connections; the page shows it, and the browser logs it. */
function isLostConnection(text: string): boolean {
  return text.includes("WebSocket connection to");
}
