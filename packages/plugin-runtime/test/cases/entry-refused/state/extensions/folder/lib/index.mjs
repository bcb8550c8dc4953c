globalThis.imported.push("folder");
