import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestHost, serve, TOKEN } from "../../support/host.js";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

describe("page for browsers", () => {
  it("says what the gateway is and how to continue, without a token and without secrets", async () => {
    const { url } = await serve(await createTestHost());
    const response = await fetch(url, { headers: { accept: BROWSER } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    const page = await response.text();
    for (const words of ["OpenClaw gateway", "Running", "openclaw chat", `curl -s ${url}/v1/`]) {
      expect(page).toContain(words);
    }
    expect(page).toContain('<a href="https://');
    expect(page).not.toContain(TOKEN);
    expect(page).not.toMatch(/<script|\son[a-z]+=|javascript:/i);
  });

  it("allows only its own style, and no frame", async () => {
    const { url } = await serve(await createTestHost());
    const response = await fetch(url, { headers: { accept: BROWSER } });
    const policy = response.headers.get("content-security-policy") ?? "";
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(await response.text()) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it("is not sent to other clients, which receive JSON", async () => {
    const { url, headers } = await serve(await createTestHost());
    for (const accept of ["*/*", "application/json", "text/html;q=0, application/json"]) {
      const response = await fetch(url, { headers: { accept } });
      expect([accept, response.status]).toEqual([accept, 401]);
      expect(await response.json()).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    }
    expect((await fetch(url, { headers: { ...headers, accept: "*/*" } })).status).toBe(404);
    const other = await fetch(`${url}/v1/models`, { headers: { accept: BROWSER } });
    expect(other.status).toBe(401);
  });

  it("escapes the name that the browser used", async () => {
    const { url } = await serve(await createTestHost());
    const host = `localhost:${new URL(url).port}`;
    const response = await fetch(`http://${host}/?<script>=1`, { headers: { accept: BROWSER } });
    const page = await response.text();
    expect(page).toContain(`http://${host}/v1`);
    expect(page).not.toContain("<script>");
  });
});
