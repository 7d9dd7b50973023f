/**
 * Reads the large import of this number, beside an ordinary file of each format, in a process of its own whose memory
 * the caller limits. Prints the seconds of processor time and the state of the import.
 */
import { acceptFiles } from "#areas/imports/accept-files.ts";
import { analyse } from "#areas/imports/analyse.ts";
import { builtAssets } from "./built-assets.ts";
import { goodFiles, largeImports } from "./hostile-imports.ts";

const files = [...goodFiles, ...(largeImports[Number(process.argv[2])]?.files() ?? [])];
const before = process.cpuUsage();
const { state, progress } = await analyse(await acceptFiles(files), undefined, {
  adopt: true,
  assets: builtAssets,
});
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ seconds: (user + system) / 1e6, state, total: progress.total }));
