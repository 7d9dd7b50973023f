/**
 * In every suite: a module that is loaded is not asked for again. The pool imports the Worker's module anew at each
 * request, each call of an object and each alarm, and its loader asks the process that runs the tests each time where
 * the module is and whether it has changed, over a socket and back: a third of the time of most suites. Nothing changes
 * in the middle of a run.
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
    // Kept when it is there: whoever waited for another request's answer would hang when that one is killed.
    if (!places.has(key)) places.set(key, await resolveId(id, importer));
    return places.get(key);
  };
}
