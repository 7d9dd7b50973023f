import type { ErrorCode } from "#kernel/errors.ts";

/** The meaning of each error and the advice, with code between backticks. */
export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  malformed_json:
    "The body could not be read as JSON: `detail` names the line and column, or says that it is nested deeper than 32 levels or broke off. Correct the body; the same one fails again.",
  validation_failed:
    "Something in the request is missing or not as it is declared. `errors` names each place (`in`, `pointer`) and what is wrong there.",
  unknown_parameter:
    "A member of the body or a query parameter is not known here, so that a typing error never becomes another request. `errors` names each place and what is known there. `Prefer: handling=lenient` has unknown names ignored.",
  invalid_cursor:
    "The cursor was changed, or belongs to a list with other filters. Start again without `cursor`, or keep the filters of the first page.",
  template_invalid:
    "The source of the template has mistakes; `errors` names each of them with its line. Ask the validate endpoint before you store a version.",
  url_not_allowed:
    "A URL must be `https` and must not lead to a private or local address. Give one that the internet can reach.",
  sign_in_failed:
    "The sign-in could not be completed: it took too long, was begun in another browser, or the provider's answer does not hold. Begin it again.",
  credential_unavailable:
    "The reference names no credential that this tenant may use. References carry the tenant's id; see `credentialRef` of a cloud target.",
  unauthenticated:
    "No credential was sent, or the one that was sent is unknown, expired or revoked. Send `Authorization: Bearer <API key>`.",
  csrf_required:
    "A change that is authorized by a cookie needs the CSRF header as well. Requests with an API key do not.",
  forbidden:
    "You may see this, but not do it. `detail` names the scope or the role that is missing.",
  license_limit:
    "The installation's license does not allow more of this. The operator can read the license and renew it.",
  quota_exceeded:
    "There is as much as a limit allows: mostly one of the tenant's, which `GET /tenants/{tenantId}/usage` shows beside what is used. Remove what is no longer needed, or ask the operator to raise it.",
  not_found:
    "There is nothing with this id, or it belongs to another tenant: both answer the same. Check the id and the key's tenant.",
  method_not_allowed: "The path is known, but not with this method. `Allow` lists those it takes.",
  conflict:
    "Somebody changed the object while your change was on its way, and nothing of yours was done. Read it again and repeat.",
  invalid_state:
    "The object is in a state that does not allow this; `detail` says which one. Wait for it, or do what leads out of it.",
  slug_taken: "Another object has this slug already. Choose another one.",
  release_taken:
    "A version of the template has this release already, and a release always means the same version. Take a higher one.",
  resource_protected:
    "The instance is protected, and this would delete or replace some of it. Take the protection off first, if you mean it.",
  in_use: "Something still depends on the object: `detail` names it. Take that away first.",
  last_owner: "A tenant is never left without an owner. Make somebody else an owner first.",
  stale_plan:
    "The instance changed after the plan was made, so the plan is no longer carried out. Make a new plan and approve that one.",
  nothing_to_roll_back:
    "No deploy of the instance succeeded before this one, so there is nothing to go back to. Deploy the version you want.",
  idempotency_in_progress:
    "The first request with this `Idempotency-Key` has not ended yet. Wait as long as `Retry-After` says, then repeat it.",
  idempotency_key_reused:
    "The `Idempotency-Key` came with another body or query within the last 24 hours. A new request needs a new key.",
  webhook_disabled: "Nothing is sent to a disabled webhook. Enable it first.",
  precondition_failed:
    "The object no longer has the version that `If-Match` names. Read it again, look at what changed, and repeat with the new ETag.",
  payload_too_large:
    "The body is larger than the endpoint takes: 64 KiB, 1 MiB for templates, 16 MiB for imports.",
  unsupported_media_type:
    "Send the body as `Content-Type: application/json`, or as another type that the endpoint lists, and without `Content-Encoding`.",
  rate_limited:
    "More requests came than are allowed in this time. Wait as long as `Retry-After` says, and go on slower.",
  internal:
    "Something failed here, and not because of the request. Repeating it with the same `Idempotency-Key` is safe. Quote `requestId` when you ask for help.",
  provider_error:
    "The cloud provider could not be asked, or refused; `detail` says what it answered. It says nothing about the credential.",
  unavailable:
    "The service cannot answer at the moment, or its installation is not complete. Repeat the request after the time that `Retry-After` says; `GET /health` tells an operator what is missing.",
};
