import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { imports } from "#schema/imports.ts";
import { findImport, removeImport } from "./store.ts";

/** Templates made of it keep their own copy of the draft. */
export async function deleteImport(call: Call, id: string): Promise<void> {
  const [before] = await call.read(one(findImport(call, id), "import"));
  call.expectVersion(before.version);
  await call.commit(undefined, [
    call.requireVersion(imports, before),
    ...removeImport(call, before),
    audit("import.delete", { tenantId: before.tenantId, type: "import", id }, { before }),
  ]);
}
