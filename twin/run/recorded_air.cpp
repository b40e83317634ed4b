// What is recorded of air: rooms, aisles of the rows, air handlers.

#include "twin/run/recorder.hpp"

namespace wattloop::twin {

namespace {

RecordedTable room_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("rooms", "room", names_of(plant.hall.rooms)),
          record.facility_s,
          {
              {{"temperature", "K", "air in the room"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.rooms[i].node); }},
              {{"mass_temperature", "K", "racks, floor and walls; the air where a room has no mass"},
               [](const Moment& m, std::size_t i) {
                 const RoomPart& room = m.plant.hall.rooms[i];
                 return m.node_k(room.mass_node == no_part ? room.node : room.mass_node);
               }},
              {{"electrical_loss", "W", "heat from electrical equipment in the room"},
               [](const Moment& m, std::size_t i) { return m.evaluation.power.room_loss_w[i]; }},
          }};
}

RecordedTable row_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("rows", "row", names_of(plant.hall.rows)),
          record.facility_s,
          {
              {{"cold_aisle_temperature", "K", "air before the racks"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.rows[i].cold_node); }},
              {{"hot_aisle_temperature", "K", "air behind the rear doors"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.rows[i].hot_node); }},
              {{"airflow", "kg/s", "air through all racks of the row"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.rows[i].air_flow); }},
              {{"supplied_airflow", "kg/s", "air from the air handlers to the cold aisle"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.rows[i].supplied_flow); }},
          }};
}

}  // namespace

std::vector<RecordedTable> air_tables(const Plant& plant, const RecordSpec& record) {
  std::vector<RecordedTable> tables{room_table(plant, record), row_table(plant, record)};
  if (!plant.hall.crahs.empty()) tables.push_back(part_table(plant, record, "crahs"));
  return tables;
}

}  // namespace wattloop::twin
