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

RecordedTable crah_table(const Plant& plant, const RecordSpec& record) {
  return {table_of("crahs", "crah", names_of(plant.hall.crahs)),
          record.facility_s,
          {
              {{"return_temperature", "K", "water leaving the coil"},
               [](const Moment& m, std::size_t i) { return m.node_k(m.plant.hall.crahs[i].water_node); }},
              {{"fan_speed", "1", "speed of the fans over full speed"},
               [](const Moment& m, std::size_t i) { return m.speed_fraction(m.plant.hall.crahs[i].motor); }},
              {{"flow", "kg/s", "chilled water through the coil"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.crahs[i].water_flow); }},
              {{"airflow", "kg/s", "air through the unit"},
               [](const Moment& m, std::size_t i) { return m.flow_kg_per_s(m.plant.hall.crahs[i].air_flow); }},
              {{"heat", "W", "heat taken up by the chilled water"},
               [](const Moment& m, std::size_t i) { return m.crah_heat_w(m.plant.hall.crahs[i]); }},
              {{"power", "W", "electric power of the fans"},
               [](const Moment& m, std::size_t i) { return m.motor_w(m.plant.hall.crahs[i].motor); }},
              {{"loading", "1", "heat over rated heat"},
               [](const Moment& m, std::size_t i) {
                 const CrahPart& crah = m.plant.hall.crahs[i];
                 return m.crah_heat_w(crah) / crah.rated_heat_w;
               }},
          }};
}

}  // namespace

std::vector<RecordedTable> air_tables(const Plant& plant, const RecordSpec& record) {
  std::vector<RecordedTable> tables{room_table(plant, record), row_table(plant, record)};
  if (!plant.hall.crahs.empty()) tables.push_back(crah_table(plant, record));
  return tables;
}

}  // namespace wattloop::twin
