import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/contexts.js";
import type { Engine } from "../../src/engine/engine.js";
import {
  MigrationChangedError,
  MigrationFailedError,
  SchemaTooNewError,
} from "../../src/errors.js";
import { openStore } from "../../src/index.js";
import type { Migration } from "../../src/migrations/migration.js";
import { appliedMigrations, migrate } from "../../src/migrations/migrations.js";
import { runBeside, tablesOf } from "../support/database-beside.js";
import { inbound, newDatabase, openTestEngine, openTestStore } from "../support/open-store.js";

const first: Migration = {
  name: "0001-first",
  statements: ({ text }) => [`create table one (a ${text})`],
};
const second: Migration = {
  name: "0002-second",
  statements: ({ integer }) => [`create table two (b ${integer})`, "insert into two values (1)"],
};

/** Runs the migrations on a database that may lack some of them. */
async function run({ unit, name, words }: Engine, migrations: readonly Migration[]): Promise<void> {
  await migrate(unit, name, words, migrations);
}

describe("migrations", () => {
  it("[SCALE-025] are applied once each, in order, and recorded with time and checksum", async () => {
    const database = newDatabase();
    const engine = await openTestEngine(database);
    await run(engine, [first]);
    await run(engine, [first, second]);
    await run(engine, [first, second]);
    const applied = await appliedMigrations(engine.unit);
    expect(applied.map(({ name }) => name)).toEqual(["0001-first", "0002-second"]);
    for (const { checksum } of applied) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(applied[1]?.appliedAt).toBeGreaterThan(applied[0]?.appliedAt ?? Number.NaN);
    expect(await tablesOf(database)).toEqual(["migrations", "one", "two"]);
  });

  it("are rolled back when they fail, and keep the previous ones", async () => {
    const database = newDatabase();
    const engine = await openTestEngine(database);
    const broken: Migration = {
      name: "0002-broken",
      statements: () => ["create table half (a text)", "insert into nowhere values (1)"],
    };
    const ran = run(engine, [first, broken]);
    await expect(ran).rejects.toThrow(MigrationFailedError);
    await expect(ran).rejects.toThrow(
      /migration 0002-broken failed: .*nowhere.*; it was rolled back/,
    );
    expect(await tablesOf(database)).toEqual(["migrations", "one"]);
    await run(engine, [first, second]);
    expect(await tablesOf(database)).toEqual(["migrations", "one", "two"]);
  });

  it("are rejected when one was inserted before an applied one", async () => {
    const database = newDatabase();
    const engine = await openTestEngine(database);
    await run(engine, [second]);
    const ran = run(engine, [first, second]);
    await expect(ran).rejects.toThrow(MigrationChangedError);
    await expect(ran).rejects.toMatchObject({ migration: "0001-first" });
    expect(await tablesOf(database)).toEqual(["migrations", "two"]);
  });

  it.each<[string, Migration]>([
    ["statements", { ...first, statements: () => ["create table one (a text, b text)"] }],
    ["name", { ...first, name: "0001-renamed" }],
  ])("are rejected when the %s of an applied one changed", async (_, changed) => {
    const database = newDatabase();
    const engine = await openTestEngine(database);
    await run(engine, [first]);
    const ran = run(engine, [changed, second]);
    await expect(ran).rejects.toThrow(MigrationChangedError);
    await expect(ran).rejects.toThrow(
      /the database applied 0001-first with checksum [0-9a-f]{12};/,
    );
    await expect(ran).rejects.toMatchObject({ file: engine.name, migration: changed.name });
    expect(await tablesOf(database)).toEqual(["migrations", "one"]);
  });

  it("[HOST-006] are rejected when the database has one that this version does not have", async () => {
    const database = newDatabase();
    const store = await openTestStore(database);
    await store.messages.inbox.accept(inbound());
    await store.close();
    await runBeside(database, "insert into migrations values ('9999-later', 'abc', 1)");

    const opened = openStore(database);
    await expect(opened).rejects.toThrow(SchemaTooNewError);
    await expect(opened).rejects.toMatchObject({ kind: "configuration", unknown: ["9999-later"] });
    await expect(opened).rejects.toThrow(
      `has migrations up to ${MIGRATIONS.at(-1)?.name}, but the database also has 9999-later; start the newer version`,
    );
  });

  it("[HOST-006] are applied once by several hosts that start concurrently", async () => {
    const database = newDatabase();
    const engines = await Promise.all([1, 2, 3].map(() => openTestEngine(database)));
    await Promise.all(engines.map((engine) => run(engine, [first, second])));
    expect(await runBeside(database, "select b from two")).toHaveLength(1);
  });

  it("[SCALE-023] only add since several versions can run on one database, so that the earlier one runs on the schema of the next", () => {
    const words = { identity: "", integer: "integer", text: "text", table: "", clusteredTable: "" };
    const since = MIGRATIONS.filter(({ name }) => name >= "0043");
    for (const migration of since) {
      const created = new Set<string>();
      for (const statement of migration.statements(words)) {
        const what = `${migration.name}: ${statement}`;
        const [, table] = /^create table (\w+)/.exec(statement) ?? [];
        if (table !== undefined) {
          created.add(table);
          continue;
        }
        const [, unique, on] = /^create (unique )?index \w+ on (\w+)/.exec(statement) ?? [];
        if (on !== undefined) {
          // A unique index would reject what the earlier version writes.
          expect(unique === undefined || created.has(on), what).toBe(true);
          continue;
        }
        if (/^drop index \w+$/.test(statement)) continue;
        expect(statement, what).toMatch(/^alter table \w+ add column \w+ /);
        if (/ not null/.test(statement)) expect(statement, what).toMatch(/ default /);
      }
    }
    expect(since.length).toBeGreaterThan(0);
  });

  it("are rejected when the database has some and the code has none", async () => {
    const database = newDatabase();
    const engine = await openTestEngine(database);
    await run(engine, [first]);
    await expect(run(engine, [])).rejects.toThrow(
      "has migrations up to none, but the database also has 0001-first",
    );
  });
});

// Once released, a checksum here never changes: a database with it could not be opened again.
const RELEASED = {
  sqlite: [
    ["0001-initial", "8a7c61554260518617574569bd4608fb7ce4b458c65b1af5224964c65ce08fcb"],
    ["0002-plugin-values", "f8ad982e254137b525b836b3e08c3139739aea56240e2f3c9a0c53350501898b"],
    [
      "0003-injections-and-extensions",
      "2639f6c7b8a913a639b46e9b1f0f62fb6d254d1b345ae2ef5ce6b97aa2fbbb7e",
    ],
    ["0004-journal", "d2d7cb240521e2d0ef41791d13759f1398a1cc297214a6605168295941eba880"],
    ["0005-compactions", "904edc3f269970f5a743405ef2a4c105c8f7b18badff89d3b024de51ab3e8f2f"],
    ["0006-session-ends", "ab7d8b8e0e1a2f2a8ce4b27f57524f43bfbabe073ccec8d720a30cd35d22eeb6"],
    ["0007-tool-audit", "d6ab08e23b0ae20ffd429350d8ff0f1a67159f498bf687b2b054444010348e73"],
    ["0008-retention", "132f98dd228635ab3455d4da3a74979d795b495e69f03df7ebfdebfed7aa6601"],
    ["0009-traces", "adb4ecf290f7946ba002213ba980dda5def0ee46992ead4a22c3982c7218eaa0"],
    ["0010-approvals", "c7493f833349c6fd5405bf3bc29c63abefb827485d3c49f9201e0cc95b019e80"],
    ["0011-subagents", "0d73068aad96b3be2805311a08d771dbfea6fa220956696d9c8f3606d3f04454"],
    ["0012-turn-record", "ce9b500b42e8480b4a57fcb96049f2b0c6fe0bc1e39dc50ac2e92d06aed998e5"],
    ["0013-grant-prefixes", "f3215b36c370b8b710be3b1c8c6a90ac8c9109d9d7ba611cdbc9585c0c9e6411"],
    ["0014-approval-commands", "0c2642dc32d873dcd997e25e7edea188428277ffd138cd5697b48534ce5a08a0"],
    [
      "0015-outcomes-and-responses",
      "ca9f6222600e3fc59f79cc782a65265b9a2690768f9ce14774292f5d452955fd",
    ],
    ["0016-calls", "03363d957f74e51e6d8c31f6207de9d13747767e3aaf7d5688f3c5e9e2631dff"],
    ["0017-session-settings", "c73f34ca95c7ab9985321c101f13594921479d658db63f4cd57599dc86d9829c"],
    ["0018-secrets", "935e006c4fac96d93b9e8b0b7cd34a8b30610dd253a4641dc8bae32c565b8270"],
    ["0019-threads", "e362fe2a7638f8f6ab0017b2002bb152e1f9807ea39930e2c1abe81778de7f84"],
    ["0020-cheaper-turns", "e9402e38c2c47e07e6fa976dd3615b89cc06e9203a67de3a8d27374e9fc2a84e"],
    ["0021-approval-change", "1ed6422ccd732648cf967aaa04e33e68dabe2ea255d4b022c3b7872d4f15cd18"],
    ["0022-model-calls", "52e2a11d6c70021322ac32e062e85dd3b865b54486000fb08fc43d5d9993b419"],
    ["0023-secret-uses", "dcd5a772a2590f55da3f522715af52a933d9af1498b57544d364e78d2f30e70d"],
    ["0024-channel-senders", "dc3704a3fc1e68c940d568612c5c3e4b7bf311ee5d12b42c3a187ac49cb03738"],
    [
      "0025-credential-requests",
      "e5d33d0b527109be43de23455e2e4be246e8a71b9c3da716f2e336b137b3ba16",
    ],
    ["0026-devices", "b9672d2193a4498eb5e0e24b82818cb1401a0b2f439341a7c050e9782224e536"],
    ["0027-grant-covers", "fa93f157f6c2b171781b814c4ca2e8ad8d016464a7ec3b5241fb7b2278de2c6b"],
    ["0028-settings", "97e9a4d6d5af9fe715672f354e56f2144ef78d2cbcf53b218ed0959b132e6382"],
    ["0029-jobs", "211bcf36cb3f6cec95dbb2973c65b582bb1b60fd7539a9975f3fdbec112636cd"],
    ["0030-routines", "886a77ce259ac340ce370b5bf70872fbdaf3c9f7cda4275ca828ad864462c73f"],
    ["0031-job-plans", "ad108371c5bb600ed9e1070d92eda961f8f33b951c5790cfb01ff51e64613f60"],
    ["0032-run-deliveries", "fa00bfdd1ea3727c530c7983fe45682a180ba8795041ec20fe9ebe9c43f4aebc"],
    ["0033-job-questions", "63151b1c7a9cb29d50edac15b1886d963096362abcaa2f508e1da95d83dbbf4f"],
    ["0034-job-prompts", "9790f82813cc34671747d67c6f68cc72ae0a2ed2510c4b1703509f34d71ca6b5"],
    ["0035-routine-inputs", "a9d14d5103fc56f36cc56ca33a6c9ca53a95ba4baed84dbd6e79a40405765cc1"],
    ["0036-listed-runs", "cd0a870f74f4168f06002a5f02a09d44b563aaea397a52cffb0d26ffd8bf0db2"],
    ["0037-approval-inputs", "01d9f8f69f8b8166019dfcd0f33ad331c2ee269c6da3ec9a8c3a24a7b5b13d01"],
    ["0038-approval-reasons", "d9a5437284a83c5421765f4fd2e8cf88f156159a8226faad28aa3485d3244aca"],
    ["0039-queues", "246e738cb0d7e8520954e96d81bd04bb3f1b5a1b857836c9fd88bbf27231295d"],
    ["0040-unsettled-runs", "60d10c2e8165b076583ff7fe8d66ed37df4db6854b164f13c804b78236be2a07"],
    ["0041-signals", "fd7a11d826559687be76732d968068f339e8c2da7fdbf0de8814a82ce69ba0ae"],
    ["0042-job-workers", "ee5121cc9f609a7b5c4f560260a30c1c6f6159ee380c37d40993b9285892dfb5"],
    ["0043-nodes", "f0b429096a1be87ad6090c02f488a2e3c35b457e879a6569dbde9144602cabb0"],
    ["0044-approval-votes", "52c943cb8387481a8f7f6c2e394d52e101d88c81284bc8bdf7b774772101795c"],
    ["0045-call-windows", "0d565c57f7e58a716bd5b6adea9685d0dd8255ab847f64f375a459964cf6214b"],
    ["0046-lost-messages", "cd68950ed33d5302bf8d991047a75e7897153102531078da9e99e1deb5e18248"],
    ["0047-shared-events", "d6d7c8c2964d76b00fe6aafeb2385b0a240a12087af3688e424a05ece7b67930"],
  ],
  postgres: [
    ["0001-initial", "69090c02af910efb1ea840a0114e48573271733ad3b2eb451f55b2c61ff1f7b1"],
    ["0002-plugin-values", "9d5d3e0017e043ace6ddeac75d064879d20bd3851a4e025615955218aa1a75dc"],
    [
      "0003-injections-and-extensions",
      "02abbc1f5dbecbbc799f0a26ef48b33242c2587df3296ff1e5b7be383b51b8ce",
    ],
    ["0004-journal", "3ac44fc3d01a05ff018b5b5dbb59a80510a67dab47c29ba07e29871b895082eb"],
    ["0005-compactions", "00ba39716844e25c37bce4352d3db6b5178b7dcde66c6a32170e48b47c962d0e"],
    ["0006-session-ends", "fcb874973dd2dca75f94ccf3f49496b1398359cdcb2d4000d776067f28b27aa5"],
    ["0007-tool-audit", "77f5f41c9e4f39811cb3c2cacdb52ac84949064cc30ef71fb73053523becb1a9"],
    ["0008-retention", "745b383b9d44338ef7916ce32adf8d190065e477259e9ab170c8836c4940cb0c"],
    ["0009-traces", "d5f9719d8feb7338b49d4bb5877a9e2f487122722bb5c7d1fa5014b9c02d9753"],
    ["0010-approvals", "8ceb877956888ba80f5fce1472688485cde81c4ad51f65db4fc5beb1142254c5"],
    ["0011-subagents", "f6102a1e8f0eb1de65748e2d61172892f581744c27ca90ec58de58d650d83865"],
    ["0012-turn-record", "acc329693802dd8a7e782a11e7eea992a434131889ea13be6d15bfecd0b7f521"],
    ["0013-grant-prefixes", "da2e49c05d436c3aa694b20feb0865ba32ea35767c80e616b09d68ff8c183216"],
    ["0014-approval-commands", "2b611fee74e57517ec45cbf0cc6e080aa3dc75c8e6705fb35cb7b3eedbc74647"],
    [
      "0015-outcomes-and-responses",
      "975a8f9d67707ad8dee9aab3e2748360fbd64c9ce305b2c2665f2a0dc2bc396b",
    ],
    ["0016-calls", "8af1750b1dba0749c40b2be354959fc71f1949f8a549eac7450ef5134dc7ace0"],
    ["0017-session-settings", "d45f4a2d1c091fc757f6c3f4b7f5e36198e1ea45aa94f9f9abd1b87f75e335ea"],
    ["0018-secrets", "52926f6ea600f71431942f035a185abb8d12b494428e2f5018d74c498451b0c3"],
    ["0019-threads", "3757b821a1a8f347ee8a83fd3a195ec138c5ee079313ec8d67c7d77bb6efcd7d"],
    ["0020-cheaper-turns", "a21caf48b582ea88d49da8f1da2b47ac1bff2ec462bb2ff3fe7bb8e8b326d145"],
    ["0021-approval-change", "c5ffa4cf9fc9ce4178ada24b012c3992480e2addc296e5631f69905b58f8ca04"],
    ["0022-model-calls", "cf12d68c52d09af20107320f4ed095f2ed90448852b6765feccb621485816235"],
    ["0023-secret-uses", "b42fa4011f80670d5b23fe7fd972ab7602b69a2d69f947294fb2313414130da7"],
    ["0024-channel-senders", "5e69d1cf12af7197b1f6c8876e6244801e46057d3d6b55f07009846f357d38a8"],
    [
      "0025-credential-requests",
      "0e6496d0789d4d8e5edce6427887d5d32eb958f43e6859020aa0588835c3e1f2",
    ],
    ["0026-devices", "98cb8fb4ed10f921478d97f3bd24a6bd08696dbf90fd62032fa95037a13add4b"],
    ["0027-grant-covers", "f5950f52964e32aa2689cc1c49b26ed6631e349ee297e644d24af54c5e5f3869"],
    ["0028-settings", "df12fdcf63978ece27c227cb7a7f3860a3a426c29518082211019fa807c53697"],
    ["0029-jobs", "995d502c7303de126a713c7f99b4d4ebe28d873b2607eaea4f2a27cd398fe3d3"],
    ["0030-routines", "24ce87737b5b2ce5bc0bfb32666b581ec96e6cf9978f6fd2706a8b967d9984eb"],
    ["0031-job-plans", "8311115b7310ca0343161b8d339a757924bf57b1b9c5906471d47603a8341969"],
    ["0032-run-deliveries", "c7bb71279d8ca6c8fd68eb63185ae4dd45e530a7065ae791123b29323f963f95"],
    ["0033-job-questions", "ec087ee5a105bdf9e6ba398f6d5d66a32bb1d3eb04d6e1516a64c89f69c12b75"],
    ["0034-job-prompts", "1d1c31f7e206dd080d07e6e42092599f585bbf364a03a0fccf8d2bbf7444b858"],
    ["0035-routine-inputs", "bcbf77474e2104faf3decba432bda1f1896928f6566c9cbfc93830b1a85ba830"],
    ["0036-listed-runs", "8871f68d6d4009b7200b93001cc4c22b271f2f0c1760e8c5381f004c4b2bd0a0"],
    ["0037-approval-inputs", "104699b5485718954ba499824cf7fb4d87e302dea103dbb18423ea84f3334524"],
    ["0038-approval-reasons", "f093d9afcfbc50b098936b88bd3f383efeeed94052b712e31803665f2f3fc49d"],
    ["0039-queues", "c1dd0c51233dba4cc9419d4f8c8f0dc5a5d5c3b24a63208576e835038c067a68"],
    ["0040-unsettled-runs", "60d10c2e8165b076583ff7fe8d66ed37df4db6854b164f13c804b78236be2a07"],
    ["0041-signals", "8ddc7dcfa2f111bf0381d7e5a5c1e84e2000dc2f0c0f75ae81442edb77b26a4e"],
    ["0042-job-workers", "c4f86e78538b8de7375485142cfdb7f23c0fe8e8a71b78ff43e3d4a925740b31"],
    ["0043-nodes", "3cd3806ca3e90230d73d8f3852ec4df7656be8a6c8c5972b110d4c655ce12618"],
    ["0044-approval-votes", "9be6fbb61e370cb58eafb7d906a2c9c7dc20bb1395c4986a9e43dcbd5ac77b21"],
    ["0045-call-windows", "9862eb3202a633d9b66fcd9bee9e8fb9edf7af1f61220ec7c3ee5404901a535a"],
    ["0046-lost-messages", "925e9ffff5fcedb0660cfe48275d8f31359d9aeb91738f356379288e33ccd0c0"],
    ["0047-shared-events", "d5f44322c6cd5e3cb556518c610a547516223d501995066c9ab2d54b279bb96f"],
  ],
};

describe("released migrations", () => {
  it("are unchanged since their release", async () => {
    const store = await openTestStore();
    const applied = await store.migrations();
    expect(applied.map(({ name, checksum }) => [name, checksum])).toEqual(
      RELEASED[store.database.dialect === "postgres" ? "postgres" : "sqlite"],
    );
  });

  it("have names that sort in the order of application", () => {
    const names = MIGRATIONS.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    for (const name of names) expect(name).toMatch(/^\d{4}(-[a-z]+)+$/);
  });
});
