CREATE INDEX facts_bad ON facts(path) WHERE msg <> '';
CREATE INDEX facts_stray ON facts(path) WHERE stray = 1;
CREATE INDEX memory_nodes_source ON memory_nodes(source);
CREATE INDEX memory_edges_source ON memory_edges(source);
CREATE INDEX graph_node_folded ON graph_node_rows(folded);
CREATE INDEX graph_node_type ON graph_node_rows(type, sources);
CREATE INDEX graph_edge_from ON graph_edge_rows(a);
CREATE INDEX graph_edge_to ON graph_edge_rows(b);
