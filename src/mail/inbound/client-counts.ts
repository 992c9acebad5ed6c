import { clientNetwork } from "#core/addresses/client-network.ts";

/** How many connections each client has. */
export type ClientCounts = {
  /** Counts a connection. False: the client already has as many as are allowed. */
  add(connection: string, address: string): boolean;
  remove(connection: string): void;
};

export function clientCounts(each: number): ClientCounts {
  const networks = new Map<string, string>();
  const counts = new Map<string, number>();
  return {
    add(connection, address) {
      const network = clientNetwork(address);
      const count = counts.get(network) ?? 0;
      if (count >= each) return false;
      networks.set(connection, network);
      counts.set(network, count + 1);
      return true;
    },
    remove(connection) {
      const network = networks.get(connection);
      if (network === undefined) return;
      networks.delete(connection);
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    },
  };
}
