throw new Error("the plugin's own copy of the SDK was loaded");
