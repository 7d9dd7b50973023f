DROP INDEX `deployments_waiting`;--> statement-breakpoint
CREATE INDEX `deployments_waiting` ON `deployments` (`tenant_id`,`target_id`,`gate_ticket`) WHERE gate_ticket IS NOT NULL;