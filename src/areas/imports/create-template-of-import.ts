import type * as z from "zod";
import { newTemplate, type NewTemplate } from "#areas/templates/public.ts";
import { authorize } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { type TemplateOfImportBody, getImportEndpoint } from "./contract.ts";
import { draftOf, unpackDrafts } from "./import-page.ts";
import { findDraft, findImport } from "./store.ts";

/**
 * Makes a template of a draft. The template shows the import's content, so the caller needs the right to read the
 * import.
 */
export async function createTemplateOfImport(
  call: Call,
  id: string,
  body: z.output<typeof TemplateOfImportBody>,
): Promise<NewTemplate["template"]> {
  const [{ tenantId }, drafts] = await call.read(
    one(findImport(call, id), "import"),
    findDraft(call, id, body.module),
  );
  authorize(call.actor, getImportEndpoint.access);
  const draft = draftOf(await unpackDrafts(drafts), body.module);
  if (draft === null)
    throw new ApiError(
      "invalid_state",
      "This import has no draft: nothing in it could be converted.",
    );
  const { name, description, labels } = body;
  const { template, writes } = await newTemplate(call, tenantId, {
    name,
    description,
    labels,
    source: draft.source,
    release: draft.release,
  });
  return call.commit(template, writes);
}
