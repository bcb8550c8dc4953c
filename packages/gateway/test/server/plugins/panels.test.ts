import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { pluginSite } from "../../support/plugin-site.js";

/** Site with a panel. */
async function panelSite() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "page/index.html": "<p>", "page/a.js": "1", "secret.txt": "s" });
  const site = await pluginSite(
    (api) => api.registerPanel({ id: "board", title: "Board", folder: "page" }),
    { folder: folder.path },
  );
  const [{ path = "" } = {}] = site.plugins.current.panels;
  return { ...site, path };
}

describe("the files of a panel", () => {
  it("[UI-039] [SDK-523] have a sandbox without network, which also holds outside of the console", async () => {
    const { get, path } = await panelSite();
    const page = await get(`${path}/index.html`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const part of [
      "sandbox allow-scripts;",
      "default-src 'none';",
      "script-src 'self';",
      "form-action 'none';",
      "frame-ancestors 'self'",
    ]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/allow-same-origin|connect-src|frame-src|script-src[^;]*unsafe/);
    expect(page.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    const script = await get(`${path}/a.js`, { headers: { origin: "null" } });
    expect(await script.text()).toBe("1");
    expect(script.headers.get("access-control-allow-origin")).toBe("null");
    const foreign = await get(`${path}/a.js`, { headers: { origin: "https://example.com" } });
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("[UI-039] [SDK-523] are those of its folder, at the path of this load, for reading, in a frame of the console", async () => {
    const { get, path, plugins } = await panelSite();
    const status = async (address: string, headers = {}, method = "GET") => {
      const response = await get(address, { method, headers });
      await response.body?.cancel();
      return response.status;
    };
    for (const address of ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/", "/b"]) {
      expect([address, await status(path + address)]).not.toEqual([address, 200]);
    }
    expect(await status(path.replace(/.$/, "_"))).toBe(401);
    expect(await status(`${path}/a.js`, {}, "POST")).toBe(405);
    const shown = (dest: string, site: string) =>
      status(`${path}/index.html`, { "sec-fetch-dest": dest, "sec-fetch-site": site });
    expect(await shown("iframe", "same-origin")).toBe(200);
    // A panel that navigates, another site, and a tab.
    expect(await shown("iframe", "cross-site")).toBe(403);
    expect(await shown("object", "same-origin")).toBe(403);
    expect(await shown("document", "none")).toBe(403);
    await plugins.reload("guard");
    // Without a token, as for every path that does not exist.
    expect(await status(`${path}/index.html`)).toBe(401);
  });
});
