/**
 * Reads the large import of this number, beside an ordinary file of each format, in a process of its own whose memory
 * the caller limits. Prints the seconds of processor time and the state of the import.
 */
import { acceptFiles } from "#areas/imports/accept-files.ts";
import { analyse } from "#areas/imports/analyse.ts";
import { builtAssets } from "./built-assets.ts";
import { goodFiles, largeImports } from "./hostile-imports.ts";
import { processorTime } from "./processor-time.ts";

const files = [...goodFiles, ...(largeImports[Number(process.argv[2])]?.files() ?? [])];
const spentMs = processorTime();
const { state, progress } = await analyse(await acceptFiles(files), undefined, {
  adopt: true,
  assets: builtAssets,
});
console.log(JSON.stringify({ seconds: spentMs() / 1000, state, total: progress.total }));
