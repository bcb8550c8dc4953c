import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const DIST = new URL("../../../gateway/dist/", import.meta.url);

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

it("[GW-583] the bill of materials of the gateway names each library whose licence it has", () => {
  const read = (file: string) => readFileSync(new URL(file, DIST), "utf8");
  const bill = JSON.parse(read("sbom.cdx.json")) as {
    readonly specVersion: string;
    readonly metadata: { readonly component: Component };
    readonly components: readonly Component[];
  };
  const { version } = JSON.parse(read("../package.json")) as { readonly version: string };
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  expect(bill.metadata.component).toMatchObject({ name: "openclaw", version });
  const named = bill.components.map(
    ({ group, name, version: of }) => `${group === undefined ? "" : `${group}/`}${name} ${of}`,
  );
  const licensed = read("THIRD-PARTY-LICENSES.txt").matchAll(/^(\S+ \d\S*) \(.+\)$/gm);
  expect(new Set(named)).toEqual(new Set([...licensed].map(([, library]) => library)));
  expect(bill.components).toContainEqual(
    expect.objectContaining({ name: "hono", purl: expect.stringMatching(/^pkg:npm\/hono@\d/) }),
  );
});
