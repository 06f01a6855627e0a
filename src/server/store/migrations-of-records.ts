import type { Knex } from 'knex';

export interface NamedMigration extends Knex.Migration {
  name: string;
}

export const idempotencyKeys: NamedMigration = {
  name: '018-idempotency-keys',
  async up(knex) {
    await knex.schema.createTable('idempotency_keys', table => {
      table.text('id').primary();
      table.text('request').notNullable();
      table.text('tenant_id');
      table.text('session_id').notNullable().references('sessions.id').onDelete('cascade');
      table.boolean('created').notNullable();
      table.bigInteger('created_at').notNullable();
      table.index(['session_id']);
      table.index(['created_at']);
    });
  },
  async down(knex) {
    await knex.schema.dropTable('idempotency_keys');
  },
};
