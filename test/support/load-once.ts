/**
 * In every suite: a loaded module is not looked up again. The pool imports the Worker's module anew at each request,
 * each call of an object and each alarm. Each time its loader asks the process that runs the tests, over a socket, for
 * the place of the module and for changes. This takes a third of the time of most suites, and no module changes in a
 * run.
 */
interface Known {
  /** Absent until the module is fetched. */
  meta?: unknown;
}

interface Loader {
  cachedModule: (url: string, importer?: string) => Promise<Known>;
  evaluatedModules: { getModuleByUrl: (url: string) => Known | undefined };
  vitestOptions: { transport: { resolveId: (id: string, importer?: string) => Promise<unknown> } };
  loadsOnce?: true;
}

const { __vitest_mocker__ } = globalThis as unknown as {
  __vitest_mocker__: { moduleRunner: Loader };
};
const loader = __vitest_mocker__.moduleRunner;
// Suites share a Worker, and each runs this.
if (loader.loadsOnce === undefined) {
  loader.loadsOnce = true;

  const cachedModule = loader.cachedModule.bind(loader);
  loader.cachedModule = async (url, importer) => {
    const known = loader.evaluatedModules.getModuleByUrl(url);
    return known?.meta === undefined ? cachedModule(url, importer) : known;
  };

  const { transport } = loader.vitestOptions;
  const resolveId = transport.resolveId.bind(transport);
  const places = new Map<string, unknown>();
  transport.resolveId = async (id, importer) => {
    const key = `${id}\n${importer ?? ""}`;
    // Only the answer is kept, not its promise: if a killed request's promise were shared, every waiter would hang.
    if (!places.has(key)) places.set(key, await resolveId(id, importer));
    return places.get(key);
  };
}
