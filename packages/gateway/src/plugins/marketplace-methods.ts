import { defined, errorMessage } from "@openclaw/foundation";
import {
  type InstallRecord,
  installRecords,
  type Marketplaces,
  type OpenMarketplace,
  type UnreadMarketplace,
} from "@openclaw/plugin-install";
import { type GatewayMethodResult, marketplaceMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { StateFolder } from "../state/folder.js";

/** Dependencies of {@link createMarketplaceMethods}. */
export interface MarketplaceMethodDependencies {
  readonly marketplaces: Marketplaces;
  readonly state: StateFolder;
}

/**
 * Creates the marketplace methods (EXT-544).
 * @param dependencies - marketplaces, and the state folder with the records of installed plugins
 */
export function createMarketplaceMethods({
  marketplaces,
  state,
}: MarketplaceMethodDependencies): MethodRegistry<typeof marketplaceMethods> {
  const records = installRecords(state);

  const installedFrom = async (name: string): Promise<readonly InstallRecord[]> =>
    (await records.list()).filter(({ marketplace }) => marketplace === name);

  async function update(name: string) {
    const { before, after } = await marketplaces.update(name);
    const [had, has] = [namesOf(before), namesOf(after)];
    return {
      name,
      added: before === undefined ? [] : has.filter((each) => !had.includes(each)),
      removed: had.filter((each) => !has.includes(each)),
      newer: (await installedFrom(name)).flatMap((record) => newerThan(record, after)),
    };
  }

  return MethodRegistry.of(marketplaceMethods, {
    "marketplaces.list": async () => ({
      marketplaces: (await marketplaces.list()).map(summaryOf),
    }),
    "marketplaces.search": async ({ query = "", name }) => {
      if (name !== undefined) await marketplaces.assertKnown(name);
      const words = query.toLowerCase().split(/\s+/);
      const found = (await marketplaces.list()).filter(
        ({ record }) => name === undefined || record.name === name,
      );
      const installed = new Set((await records.list()).map(({ requested }) => requested));
      return {
        plugins: found.flatMap((market) => {
          if (!("file" in market)) return [];
          const { name: of } = market.record;
          return market.file.plugins
            .filter(({ name: own, description = "", category = "", keywords }) => {
              const text = [own, description, category, ...keywords].join(" ").toLowerCase();
              return words.every((word) => text.includes(word));
            })
            .map(({ name: own, description, version, category, keywords }) => ({
              ...{ name: own, marketplace: of, keywords: [...keywords] },
              ...defined({ description, version, category }),
              installed: installed.has(`${own}@${of}`),
            }));
        }),
      };
    },
    "marketplaces.add": async ({ source, cwd }) => summaryOf(await marketplaces.add(source, cwd)),
    "marketplaces.update": async ({ name }) => {
      if (name !== undefined) return { marketplaces: [await update(name)] };
      const results = [];
      for (const { record } of await marketplaces.list()) {
        results.push(
          await update(record.name).catch((error: unknown) => ({
            ...{ name: record.name, added: [], removed: [], newer: [] },
            problem: errorMessage(error),
          })),
        );
      }
      return { marketplaces: results };
    },
    "marketplaces.remove": async ({ name }) => {
      await marketplaces.remove(name);
      return { name, plugins: (await installedFrom(name)).map(({ pluginId }) => pluginId) };
    },
  });
}

function summaryOf(
  market: OpenMarketplace | UnreadMarketplace,
): GatewayMethodResult<"marketplaces.add"> {
  const { name, source, kind, commit, updatedAt } = market.record;
  const base = { name, source, kind, updatedAt, ...defined({ commit }) };
  if (!("file" in market)) return { ...base, plugins: 0, problems: [market.problem] };
  const { owner, description, plugins, problems } = market.file;
  return {
    ...base,
    ...defined({ owner, description }),
    plugins: plugins.length,
    problems: [...problems],
  };
}

function namesOf(market: OpenMarketplace | undefined): readonly string[] {
  return market?.file.plugins.map(({ name }) => name) ?? [];
}

/** A marketplace that names no version is compared at the update of the plugin. */
function newerThan({ pluginId, requested, version }: InstallRecord, { file }: OpenMarketplace) {
  const [plugin = ""] = requested.split("@");
  const offered = file.plugins.find(({ name }) => name === plugin)?.version;
  if (offered === undefined || offered === version) return [];
  return [{ plugin, pluginId, offered, ...defined({ installed: version }) }];
}
