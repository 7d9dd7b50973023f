import type * as z from "zod";
import { type Route, route } from "#http/route.ts";
import { maskMap, sealedNames } from "#platform/crypto/sealed-map.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Profile } from "#schema/profiles.ts";
import {
  createProfileEndpoint,
  deleteProfileEndpoint,
  getProfileEndpoint,
  listProfilesEndpoint,
  type ProfileSummary,
  type ProfileView,
  updateProfileEndpoint,
} from "./contract.ts";
import { createProfile } from "./create-profile.ts";
import { deleteProfile } from "./delete-profile.ts";
import { getProfile, listProfiles } from "./read-profiles.ts";
import type { ListedProfile } from "./store.ts";
import { updateProfile } from "./update-profile.ts";

export const profileRoutes: readonly Route[] = [
  route(createProfileEndpoint, (call, { body }) => createProfile(call, body), profileView),
  route(
    listProfilesEndpoint,
    (call, { query }) => listProfiles(call, query, profileSummary),
    (page) => page,
  ),
  route(getProfileEndpoint, (call, { params }) => getProfile(call, params.id), profileView),
  route(
    updateProfileEndpoint,
    (call, { params, body }) => updateProfile(call, params.id, body),
    profileView,
  ),
  route(deleteProfileEndpoint, (call, { params }) => deleteProfile(call, params.id)),
];

function profileView(profile: Profile): z.input<typeof ProfileView> {
  return {
    ...profileSummary(profile),
    variables: maskMap(profile.variables),
    secretNames: [...sealedNames(profile.variables)].sort(),
  };
}

function profileSummary(profile: ListedProfile): z.input<typeof ProfileSummary> {
  return {
    id: profile.id,
    tenantId: tenantIdView(profile.tenantId),
    name: profile.name,
    targetId: profile.targetId,
    createdAt: timestamp(profile.createdAtMs),
    updatedAt: timestamp(profile.updatedAtMs),
  };
}
