globalThis.imported.push("silent");
