import { describe, expect, it } from "vitest";
import { fileNameOfHeader, headerText, textOfHeader } from "../src/header-text.js";

const sent = (value: string) => new Headers({ "x-text": value }).get("x-text") ?? "";

describe("text in a header", () => {
  it("[GW-240] stays as it is when it is printable ASCII", () => {
    for (const text of ["agent:main:main", "agent:main:api:direct:100%25", "Jean Dupont", "a'b"]) {
      expect(headerText(text)).toBe(text);
      expect(textOfHeader(text)).toBe(text);
    }
  });

  it.each([
    "李雷",
    "Zoë",
    "agent:main:api:direct:李雷",
    " padded ",
    "a\r\nX-Evil: 1",
    "tab\tNUL\0",
    "🦞 (it's) *100%*",
    "UTF-8''%41",
    "\u2028",
    "",
  ])("[GW-240] reaches the other side unchanged: %j", (text) => {
    const value = headerText(text);
    expect(value).toMatch(/^[!-~]*$/);
    expect(textOfHeader(sent(value))).toBe(text);
  });

  it("[GW-240] replaces a lone surrogate instead of throwing", () => {
    expect(textOfHeader(headerText("a\ud83d"))).toBe("a\ufffd");
  });

  it("[GW-240] is read from raw UTF-8 bytes, as curl sends them, and from Latin-1", () => {
    expect(textOfHeader(Buffer.from("李雷").toString("latin1"))).toBe("李雷");
    expect(textOfHeader("Zo\u00eb")).toBe("Zoë");
    expect(textOfHeader("UTF-8''%E6%9D")).toBe("UTF-8''%E6%9D");
    expect(textOfHeader("utf-8'en'%e6%9d%8e")).toBe("李");
  });
});

describe("file name of Content-Disposition", () => {
  it.each([
    [`attachment; filename="report.pdf"`, "report.pdf"],
    ["attachment; filename=report.pdf; size=3", "report.pdf"],
    [`attachment; filename="a;b \\"c\\".txt"`, 'a;b "c".txt'],
    ["attachment; filename=\"EURO.txt\"; filename*=UTF-8''%E2%82%AC%20rates.txt", "€ rates.txt"],
    ["attachment; filename*=utf-8'en'%E6%9D%8E.txt; filename=li.txt", "李.txt"],
    [`attachment; filename="${Buffer.from("李雷.txt").toString("latin1")}"`, "李雷.txt"],
    ["attachment", undefined],
    ['attachment; filename=""', undefined],
  ])("[GW-240] is read from %s", (value, name) => {
    expect(fileNameOfHeader(value)).toBe(name);
  });
});
