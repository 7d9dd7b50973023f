export {
  acceptInvitation,
  findInvitationByDigest,
  findTenantsByDomain,
  joinByDomain,
  leaveByDomain,
  takeOverRemovals,
} from "./join-tenant.ts";
export { requireMonthlyRoom, requireRoom } from "./room.ts";
export { spendQuota } from "./spend-quota.ts";
export { findLimitsOfOwner, findTenantLimits, findUsage, namedTenant } from "./store.ts";
export { tenantOfNew } from "./tenant-of-new.ts";
