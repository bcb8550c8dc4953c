import { expect, it } from "vitest";
import { isLocalUrl } from "../../src/provider-entry.js";

it.each([
  ["http://localhost:11434", true],
  ["http://127.0.0.1/v1", true],
  ["http://2130706433/v1", true],
  ["http://192.168.1.5", true],
  ["http://172.31.0.1", true],
  ["http://[::1]:8080", true],
  ["http://[fd00::1]", true],
  ["http://nas.local", true],
  ["http://gpu-box:8000", true],
  ["http://172.32.0.1", false],
  ["http://8.8.8.8", false],
  ["http://[2001:db8::1]", false],
  ["https://localhost.example.com", false],
  ["https://api.example.com", false],
])("says whether %s is in the own network: %s", (url, isLocal) => {
  expect(isLocalUrl(url)).toBe(isLocal);
});
