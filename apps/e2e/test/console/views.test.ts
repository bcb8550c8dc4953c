import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DesignComparison } from "../../src/console/comparison.js";
import { smallTargets, violations } from "../../src/console/page-checks.js";
import { differenceOf } from "../../src/console/pictures.js";
import type { ConsoleScene } from "../../src/console/scene.js";
import { SCREENS, type Screen } from "../../src/console/screens.js";
import { openSeededScene, PAGE_TIME, type SeededScene } from "../../src/console/seeded-scene.js";

/** Share of the pixels of a picture that may differ: times and codes do, and a moved line is more. */
const TOLERANCE = 0.012;
const ACCEPTED = fileURLToPath(new URL("pictures/", import.meta.url));
const PICTURES = new URL("../../../../docs/pictures/console/", import.meta.url);
const isAccepting = process.env.OPENCLAW_PICTURES === "1";

let seeded: SeededScene;
let scene: ConsoleScene;

beforeAll(async () => {
  seeded = await openSeededScene();
  ({ scene } = seeded);
  if (isAccepting) mkdirSync(ACCEPTED, { recursive: true });
});

afterAll(async () => {
  await seeded?.[Symbol.asyncDispose]();
});

/** Opens a screen at the time of the state; half of its size is enough to compare. */
async function openScreen(
  { path, open, ready, isSignedOut = false }: Screen,
  deviceScaleFactor = 0.5,
): Promise<Page> {
  const page = await scene.page({ timezoneId: "UTC", deviceScaleFactor });
  await page.clock.setFixedTime(PAGE_TIME);
  if (!isSignedOut) {
    await page.addInitScript(
      (value) => sessionStorage.setItem("openclaw.token", value),
      scene.token,
    );
  }
  await page.goto(scene.url + (await path(scene.client)));
  if (!isSignedOut) {
    await page.locator("footer[data-link=live]").waitFor({ state: "attached" });
    await page.getByText(/^generation/).waitFor({ state: "attached" });
  }
  await open?.(page);
  await page.locator(ready).first().waitFor();
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  await page.evaluate("document.fonts.ready");
  return page;
}

/** Folder of the repository, which a plugin that belongs to the host names. */
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

/** Gives folders of the test, whose names wrap differently each time, one name. */
const NAME_FOLDERS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    const named = data
      .replaceAll(/(?:\\/[\\w.-]+)*\\/openclaw-[\\w-]+/g, "/srv/shop")
      .replaceAll(${JSON.stringify(ROOT)}, "/srv/openclaw");
    if (named !== data) texts.currentNode.data = named;
  }
})()`;

/** Compares the page with its accepted picture, or accepts it. */
async function expectPicture(page: Page, name: string): Promise<void> {
  const file = `${ACCEPTED}${name}.png`;
  await page.evaluate(NAME_FOLDERS);
  const drawn = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (isAccepting) writeFileSync(file, drawn);
  expect(existsSync(file), `${file}; OPENCLAW_PICTURES=1 accepts the pictures`).toBe(true);
  const difference = await differenceOf(page, readFileSync(file), drawn);
  expect.soft(difference, name).toBeLessThanOrEqual(TOLERANCE);
}

it.each(SCREENS)(
  "[UI-043] [UI-032] [UI-034] [UI-507] $name looks as accepted, and can be used by everyone, in both themes at every width",
  async (screen) => {
    const page = await openScreen(screen);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect.soft(wide, `${colorScheme} at ${width}`).toBeLessThanOrEqual(width);
        if (width === 390) expect.soft(await smallTargets(page), "targets").toEqual([]);
        else if (screen.listsViews !== true)
          await expectPicture(page, `${screen.name}-${width}-${colorScheme}`);
      }
      expect.soft(await violations(page), colorScheme).toEqual([]);
    }
    expect(scene.faults.splice(0)).toEqual([]);
    await scene.closePages();
  },
  60_000,
);

it("[UI-043] finds a view whose lines moved", async () => {
  const [screen] = SCREENS;
  if (screen === undefined) throw new Error("there is no screen");
  const page = await openScreen(screen);
  const before = await page.screenshot();
  await page.evaluate(`document.querySelector("main").style.paddingTop = "4px"`);
  const moved = await differenceOf(page, before, await page.screenshot());
  expect(moved).toBeGreaterThan(TOLERANCE);
  await scene.closePages();
});

it("has pictures next to those of the design, which OPENCLAW_DESIGN=<folder> makes again", async () => {
  const folder = fileURLToPath(new URL("compare", PICTURES));
  const design = process.env.OPENCLAW_DESIGN;
  if (design !== undefined) {
    const comparison = new DesignComparison(folder, design);
    for (const screen of SCREENS) {
      const page = await openScreen(screen, 1);
      await page.evaluate(NAME_FOLDERS);
      await comparison.add(page, screen.name);
      await scene.closePages();
    }
    comparison.write(SCREENS);
    for (const name of ["now", "approvals", "sessions"]) {
      const screen = SCREENS.find((each) => each.name === name);
      if (screen === undefined) throw new Error(`there is no screen ${name}`);
      const page = await openScreen(screen, 1);
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, PICTURES)) });
    }
  }
  const shown = readFileSync(new URL("compare.html", PICTURES), "utf8");
  for (const [, file] of shown.matchAll(/src="([^"]+)"/g)) {
    expect(existsSync(new URL(`${file}`, PICTURES)), file).toBe(true);
  }
  for (const { name } of SCREENS) expect(shown).toContain(`<section id="${name}">`);
}, 300_000);
