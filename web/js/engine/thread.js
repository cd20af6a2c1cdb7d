/** A thread of the engine: a worker that enters the module which others are in already, and stays there. */

addEventListener(
  "message",
  async (/** @type {MessageEvent<{script: string, module: WebAssembly.Module, memory: WebAssembly.Memory}>} */ { data: { script, module, memory } }) => {
    const engine = await import(script);
    await engine.default({ module_or_path: module, memory });
    postMessage("ready");
    engine.joinPool();
  },
  { once: true },
);
