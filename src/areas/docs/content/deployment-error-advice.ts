import type { DeploymentErrorCode, Fault } from "#schema/lists/deployment-faults.ts";

export const whoseFault: Readonly<Record<Fault, string>> = {
  user: "Yours",
  provider: "The provider's",
  service: "The service's",
};

/** The text about codes outside the list. */
export const cloudCodes =
  "A code that is not in this list is the cloud's own, such as `AccessDenied` of AWS, `http_403` of a cloud that names none, or `denied` of the simulated cloud. `error.message` has the cloud's words, and `error.fault` says who has to act.";

/** The meaning of each deployment error and the advice, with code between backticks. */
export const deploymentErrorAdvice: Readonly<Record<DeploymentErrorCode, string>> = {
  // The template and its values
  absent_name:
    "A formula reads a resource or a component that its condition leaves out. Ask with `has(…)`, or read it as `name.?member`.",
  ambiguous_alias:
    "The aliases do not say which object belongs to which resource. Keep an alias only on the resource that had this name.",
  claimed:
    "Another instance manages the object, or may do so at a shared target. Change the object there, or remove it from that instance with `retainOnDelete: true` before this one imports it.",
  components_too_deep:
    "Components are nested deeper than five levels. Write a part of the inner ones in an outer one.",
  dependency_cycle:
    "Resources or variables depend on each other in a circle, which the message shows. Remove one of these references or `dependsOn` entries.",
  duplicate_key: "A formula makes a map with the same key twice. Remove one of the entries.",
  get_in_use:
    "`get` names an object that this instance manages or imports under another name. Refer to that resource instead.",
  get_not_allowed:
    "At a shared target, `get` reads only what another instance of the same tenant manages. Check the id, or use a target of your own.",
  get_not_found:
    "The target has no object with the id that `get` names. Check the id, the type, and the account and region of the target.",
  get_of_managed:
    "A resource is to be read with `get`, but the instance manages an object of that name, which would be deleted. To keep the object, set `retainOnDelete: true` on the resource and deploy, then write `get`.",
  import_in_use:
    "The object to import already belongs to another resource of this instance. Import it only once; if the resource got a new name, write an alias and no `import`.",
  import_mismatch:
    "The object to import has other values than the template. Give the template the object's values, or name these properties in `ignoreChanges`; change them after the import.",
  import_not_found:
    "The target has no object with the id to import. Check the id, the type, and the account and region of the target.",
  invalid_argument:
    "A function of the template was given a value that it cannot take. The message names the function and what it takes.",
  invalid_condition:
    "`when` of a resource or a component is neither true nor false. Write a comparison, or a config value of type boolean.",
  invalid_loop:
    "`forEach` is neither a map nor a list of unique texts, or one of its keys is empty, too long or has invisible characters. The message says which.",
  invalid_variables:
    "The instance's variables do not fit the config that the template declares. The message names each of them: correct it and deploy again.",
  left_out:
    "A reference reads a resource or a component that its condition leaves out. Ask with `has(…)`, or read it as `name.?member`.",
  missing_property:
    "A component requires a property that its use does not give. Add it under `properties`.",
  missing_value:
    "A value that the template uses is not set. Set it in the instance's variables, its profile or a binding.",
  name_in_use:
    "An object has to be replaced, but the new one cannot have the name of the old one while both exist. Give the new one another name, or set `deleteBeforeReplace: true` to delete the old one first, with all that is in it.",
  nesting_too_deep:
    "A value of the template is nested too deep. Flatten it, or turn a part of it into a text with `fn::toJSON`.",
  no_such_item:
    "A formula reads an item that the list does not have. Read it as `list[?0].orValue(…)`.",
  no_such_member:
    "A formula reads a member that the map does not have. Ask with `has(…)`, or read it as `map.?member`.",
  not_a_text:
    "The template puts a value that is no text where a text has to be. Refer to a text, or use `fn::toJSON` or `fn::join`.",
  not_known_yet:
    "A condition or a loop depends on an object that is not made yet. Decide by config values, variables made of them, and names under `control`.",
  omission_not_used:
    "`omit()` stands where a value is needed. It leaves out a property, an item, an entry or an output.",
  only_at_create:
    "The property counts only when the object is created, and it was changed since. Set it back, name it in `ignoreChanges` to leave the object as it is, or in `replaceOnChanges` to make a new one.",
  optional_not_unwrapped: "A formula ends in a value that may be absent. Add `.orValue(…)`.",
  outputs_too_large:
    "The outputs of the template exceed 300 KB in total. Return less data in them.",
  path_not_found:
    "A reference names a member or an index that the value does not have. The message shows where the reference ends.",
  plan_exceeded:
    "A resource would have to be replaced, which the plan does not have: its values became known only during the deployment. Deploy again, so that the new plan shows it.",
  plan_too_large:
    "The plan is larger than 1 MB. Split the template into several instances, or change fewer resources at once.",
  read_only: "The template sets a property that only the cloud sets. Remove it.",
  region_not_allowed:
    "A resource, or the whole deployment, is in a region that the target does not allow, or may come to be in one. Choose one of the target's `allowedRegions`, or ask the target's owner to allow it.",
  resource_protected:
    "The plan deletes or replaces what is protected. Take the protection off the instance, or `protect` off the resource in a deployment of its own, if you mean it.",
  sealed_value:
    "A secret is used where it would be shown or could be guessed. Use a value that is not secret there, or give the part that you need as a config value of its own.",
  state_too_large:
    "The properties and outputs of a resource are too large to keep. Store large content elsewhere and refer to it.",
  template_invalid:
    "The template's version cannot be read any more, or no longer exists. Store a version that the validate endpoint accepts, and deploy that one.",
  too_many_resources:
    "The template has more than 500 resources, with loops and components written out. Split it into several instances.",
  too_much_work:
    "The formulas of the template take too much work together. Loop over fewer items, or once instead of inside another loop.",
  unclear_rename:
    "A new resource gets the name or id of an object whose resource left the template, so it may be a rename. If it is one, write the old name as an alias; otherwise remove the old resource in a deployment of its own first.",
  unmet_alias:
    "By an alias with `to`, no resource takes the object, so it would be deleted: `to` names nothing, or a loop or a component as a whole. Correct `to`, or remove the alias.",
  unknown_component:
    "A component of the template version no longer exists. Add a version of the template, which pins its components anew.",
  unknown_function:
    "A formula calls a function that does not exist. The message names the nearest one.",
  unknown_name:
    "A formula reads a name that the template does not have. The message names the nearest one.",
  unknown_reference:
    "A reference names no config value, variable or resource of the template. Correct the name.",
  unknown_type:
    "The target's provider has no resource type of this name. `GET /cloud/providers/{provider}/types` lists those it has.",
  value_too_large:
    "The values of the template exceed 1 MiB in total. Store large content in a bucket or an image and refer to it.",
  wrong_count:
    "A formula calls a function with too few or too many arguments. The message says how many it takes.",
  wrong_kind:
    "A formula uses a value of a kind that an operator or a function does not take. The message says what it takes.",
  // The instance and its target changed, or the target is set up wrongly
  account_changed:
    "The target now opens another account than the one that has the instance's objects. Nothing was changed. Give the target a credential and a config of the first account again.",
  account_unproven:
    "The target's account shows none of the instance's objects: they are in another account, or were deleted outside. Nothing was changed. Give the target a credential and a config of the account that has them.",
  credential_unavailable:
    "The target's credential cannot be read or used. Check that `credentialRef` of the target names a secret that exists and has the right form.",
  deleted_outside:
    "The object to update was deleted outside this service. Deploy again: the next plan shows that it is created.",
  gone: "The object, or the one that it belongs to, no longer exists at the provider. Deploy again; if the error stays, check what the resource belongs to.",
  instance_gone:
    "The instance no longer existed when the deployment was to start. Make a new instance and deploy that one.",
  invalid_config:
    "The target's config lacks something that the provider needs, such as its project, team or role. Set it in the target's config.",
  invalid_credential:
    "The target's credential is of no use: it cannot sign a request, or the cloud refuses it. Store a correct one.",
  invalid_request:
    "The request to the cloud could not be made of the properties, the credential and the config. The message names what is missing, or what has characters that are not allowed.",
  invalid_url:
    "The request to the cloud would have no valid address, or one that is not the provider's. Check the region and the config of the target.",
  stale_plan:
    "The instance, or an object that the template reads with `get`, changed after the plan was made. Deploy again and approve the new plan.",
  target_gone:
    "The target was deleted before the deployment changed anything. Make a new instance at a target that exists.",
  // A request that the cloud cannot take
  already_exists:
    "The cloud already has an object of this name that this deployment did not make. Import it, delete it, or choose another name.",
  invalid_grant:
    "The cloud refuses the target's sign-in: it does not accept the key, the service account, the audience or the issuer. The message says which; correct it and verify the target.",
  invalid_id:
    "The id is not one of this type, or is of an object elsewhere than the properties or the target say. Write it in the form that the message shows.",
  invalid_member:
    "A right at Google Cloud needs what it is on, a role such as `roles/run.invoker`, and a member such as `allUsers`. Correct what the message names.",
  invalid_path_value:
    "A value that is part of the object's address has characters that an address cannot have. Correct the property that the message names.",
  invalid_property:
    "The resource has a property that does not exist, or that the target's config decides. Remove it.",
  invalid_name:
    "The name does not follow the cloud's rule for names of buckets. Choose another one: 3 to 63 small letters, digits, hyphens and dots.",
  invalid_network:
    "A private connection of Google Cloud needs the id of a network in the target's project. Refer to a `gcp:compute/Network`, or write `projects/<project>/global/networks/<name>`.",
  invalid_properties:
    "A property of the bucket does not exist, is missing or has another type. Correct the one that the message names.",
  invalid_target:
    "The workload identity pool or provider of Google Cloud does not exist, or is disabled. Correct `workloadIdentityProvider` in the target's config.",
  unauthorized_client:
    "The cloud does not let the target's identity in. Compare what the cloud trusts, such as the attribute condition at Google Cloud, with the subject in `identity` of the target.",
  missing_path_value:
    "A value that is part of the object's address is not set. Set it in the resource's properties or in the target's config.",
  not_listed:
    "The cloud does not list the object to import among those of its type. It is of another type, which a delete would remove, or is in another place. Correct the id, or the properties that say where it is.",
  not_updatable:
    "The provider cannot update an object of this type. Deploy again: the change then replaces the object, and the plan shows it.",
  other_id:
    "The cloud shows the object under another id than the template does. Use the id that the cloud shows.",
  reference_not_allowed:
    "At a shared target, a resource refers to an object that may be another tenant's, or a key is written in a second spelling. Use an object of your own tenant or a target of your own, or write the key as it is documented.",
  reserved_value:
    "The resource sets a label or tag by which this service finds the object again, or gives its labels or tags in another form. Choose another one, or the form that the message names.",
  invalid_location:
    "`location` is not the name of an Azure region. Write it in lower case without spaces, for example `westeurope`.",
  invalid_place:
    "The properties, the id and the target's config do not agree on where the Azure object stands. Correct the one that the message names.",
  target_not_shared:
    "The provider cannot keep the objects of several tenants apart, so that a platform target takes no deployments of tenants. Use a target of your own.",
  type_not_allowed:
    "This Azure type cannot be used here, or not at a target that tenants share. Use the type that the message names, or a target of your own.",
  unknown_account:
    "Magalu shows neither a VPC nor a security group in the target's region, so that nobody can tell whose the API key is. Make a VPC by hand, and deploy again.",
  not_empty:
    "The Azure resource group still has other objects, which would be deleted with it. Delete or move them, or set `retainOnDelete` for the resource group.",
  cluster_not_found:
    "The CoreWeave cluster of the object does not exist. Check the id of the cluster, or create the cluster first.",
  field_manager_conflict:
    "Somebody else sets fields of the Kubernetes object that the template sets. Take them out of the template, or let the other manager give them up.",
  no_access_key:
    "The target's credential has no access key for object storage, which buckets need. Add one in the form that the message shows.",
  no_organization:
    "The target's token does not open the Supabase organization of its config. Correct `organizationSlug`, or give the target a token of a member.",
  invalid_organization:
    "`organization_slug` names another Supabase organization than the target's config. Leave it out.",
  project_paused:
    "The Supabase project is paused; it keeps what is in it. Restore it in the dashboard, then deploy again.",
  // The cloud
  action_errored:
    "An action on the object ended with an error at DigitalOcean. Look at the object's history there, then deploy again.",
  cannot_tell:
    "The cloud did not answer an earlier create, and nobody can tell whether it took effect. Look for the object at the provider; the message says how to go on.",
  cluster_not_ready:
    "The CoreWeave cluster has no address yet. Deploy again when the cluster is ready.",
  cluster_hidden:
    "CoreWeave lists the cluster, but does not show it to the target's token. Give the token the right to read clusters.",
  clusters_hidden:
    "CoreWeave shows no list of clusters. Deploy again later; if the error stays, give the target's token the right to read clusters.",
  inconsistent:
    "The cloud shows the object when it is read, and says of the update that there is none. Deploy again later.",
  invalid:
    "The cloud's answer could not be read: it is not valid JSON, or is nested too deep. Deploy again later.",
  invalid_answer:
    "The cloud's answer lacks what it has to have, such as the id of a new object. Look at the provider what was done, and deploy again.",
  look_up_incomplete:
    "The cloud has too many objects of the type to find the one that an earlier create may have made. Look for it at the provider, then deploy again.",
  network: "The cloud could not be reached, or the connection broke. Deploy again later.",
  not_deleted: "The cloud has not deleted the object. Deploy again later.",
  object_unread:
    "An object that the template reads with `get` was not read before the deployment ended. Deploy again.",
  project_busy:
    "The Supabase project is being changed, and takes no other change until that ends. Deploy again later.",
  redirected:
    "The cloud answered with a redirect, which is never followed. Deploy again later; if the error stays, check the target's config.",
  resource_failed:
    "The cloud made or changed the object, but says that it is not usable. Look at the provider why; the next deployment replaces or mends the object.",
  timed_out:
    "The cloud took longer than the resource's timeout. Deploy again: the deployment looks at what was begun, and goes on from there.",
  timeout: "The cloud did not answer a request in time. Deploy again later.",
  too_large:
    "The cloud's answer is larger than this service reads. Deploy again; tell the operator if the error stays.",
  untrusted_address:
    "CoreWeave shows an address of the cluster that is none of CoreWeave's own, so the token was not sent there. Ask CoreWeave why.",
  vanished:
    "The cloud accepted the object, but it no longer exists: its creation failed, or somebody deleted it. Look at the provider why, and deploy again.",
  // This installation
  abandoned:
    "An operator ended the deployment; the message says why. Look at the instance's resources before you deploy again.",
  cannot_continue:
    "The service failed at the same place again and again, and ended the deployment. Tell the operator; the deployment's log names what to look for at the provider.",
  internal:
    "Something failed in this service. Deploy again; tell the operator the deployment's id if the error stays.",
  unavailable:
    "A setting of this installation is wrong; the message names it. The operator has to correct it.",
  unknown_provider:
    "This installation cannot deploy to the target's provider. `GET /cloud/providers` lists those it can deploy to.",
};
