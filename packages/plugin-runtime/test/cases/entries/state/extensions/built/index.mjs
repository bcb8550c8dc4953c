throw new Error("the sources were loaded");
