DROP INDEX `instances_by_target`;--> statement-breakpoint
DROP INDEX `instances_by_template`;--> statement-breakpoint
CREATE INDEX `instances_with_problems` ON `instances` (`tenant_id`,`id`) WHERE state IN ('FAILED', 'DEGRADED', 'DESTROY_FAILED');--> statement-breakpoint
CREATE INDEX `instances_by_target` ON `instances` (`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `instances_by_template` ON `instances` (`template_id`,`id`);--> statement-breakpoint
DROP INDEX `webhook_deliveries_due`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at_ms`) WHERE due_at_ms IS NOT NULL AND waits_in IS NULL;--> statement-breakpoint
ALTER TABLE `sweep_watch` ADD `answers_after` text;--> statement-breakpoint
CREATE INDEX `deployments_good` ON `deployments` (`instance_id`,`id`) WHERE operation IN ('deploy', 'rollback') AND state IN ('SUCCEEDED', 'NO_CHANGES') AND outputs_error IS NULL;--> statement-breakpoint
CREATE INDEX `deployments_drift_checks` ON `deployments` (`instance_id`,`id`) WHERE operation = 'drift_check';--> statement-breakpoint
CREATE INDEX `invitations_by_inviter` ON `invitations` (`invited_by`);