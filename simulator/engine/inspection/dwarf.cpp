#include "engine/inspection/dwarf.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "engine/inspection/debug_section.hpp"

namespace cuprum::simulator {
namespace {

// DWARF 4, 7.5: the tags, attributes, forms and operations that are looked at.
enum Tag : uint64_t {
    array_type = 0x01,
    enumeration_type = 0x04,
    formal_parameter = 0x05,
    lexical_block = 0x0b,
    member = 0x0d,
    pointer_type = 0x0f,
    reference_type = 0x10,
    structure_type = 0x13,
    typedef_ = 0x16,
    union_type = 0x17,
    class_type = 0x02,
    inheritance = 0x1c,
    subrange_type = 0x21,
    base_type = 0x24,
    const_type = 0x26,
    subprogram = 0x2e,
    variable = 0x34,
    volatile_type = 0x35,
    rvalue_reference_type = 0x42,
};
enum Attribute : uint64_t {
    location = 0x02,
    name = 0x03,
    byte_size = 0x0b,
    low_pc = 0x11,
    high_pc = 0x12,
    upper_bound = 0x2f,
    count = 0x37,
    data_member_location = 0x38,
    encoding = 0x3e,
    type = 0x49,
};
enum Operation : uint64_t { addr = 0x03, plus_uconst = 0x23, regx = 0x90 };

constexpr uint64_t deepest = 64;       // of types in types, and of blocks in blocks
constexpr uint64_t most_members = 64;  // of a structure

struct AttributeValue {
    DebugValue value;
    std::string text;
    uint64_t block_begin = 0, block_bytes = 0;  // of a block: where in .debug_info
};

struct Entry {
    uint64_t offset = 0, tag = 0;
    std::unordered_map<uint64_t, AttributeValue> attributes;
    std::vector<size_t> children;  // numbers of entries

    const AttributeValue* get(Attribute which) const {
        const auto found = attributes.find(which);
        return found == attributes.end() ? nullptr : &found->second;
    }
    std::string text(Attribute which) const {
        const AttributeValue* const value = get(which);
        return value != nullptr ? value->text : std::string();
    }
    uint64_t number(Attribute which) const {
        const AttributeValue* const value = get(which);
        return value != nullptr ? value->value.number : 0;
    }
};

// Which function a label is in, and before which of its instructions.
struct Position {
    uint32_t function = 0, instruction = 0;
};

class Reader {
public:
    Reader(const ptx::Module& module, const std::vector<DwarfNames>& names)
        : module_(module),
          names_(names),
          information_(debug_section(module, ".debug_info")),
          abbreviations_(debug_section(module, ".debug_abbrev")),
          locations_(debug_section(module, ".debug_loc")),
          strings_(debug_section(module, ".debug_str")),
          variables_(module.functions.size()) {
        for (uint32_t function = 0; function < module.functions.size(); ++function) {
            for (const ptx::NamedLabel& label : module.functions[function].debug_labels)
                labels_[label.name] = {function, label.instruction};
        }
    }

    std::vector<std::vector<DebugVariable>> read() {
        for (uint64_t unit = 0; unit + 11 < information_.size();)
            unit = read_unit(unit);
        for (const size_t root : roots_)
            visit(root, std::nullopt, {}, 0);
        return std::move(variables_);
    }

private:
    struct Abbreviation {
        uint64_t tag = 0;
        bool children = false;
        std::vector<std::pair<uint64_t, uint64_t>> attributes;  // and their forms
    };
    struct Scope {
        uint32_t begin = 0, end = ~0u;
    };

    std::unordered_map<uint64_t, Abbreviation> read_abbreviations(uint64_t offset) const {
        std::unordered_map<uint64_t, Abbreviation> all;
        DebugCursor at(abbreviations_, offset);
        while (!at.ended()) {
            const uint64_t code = at.leb128();
            if (code == 0) break;
            Abbreviation& read = all[code];
            read.tag = at.leb128();
            read.children = at.number(1) != 0;
            while (!at.ended()) {
                const uint64_t attribute = at.leb128(), form = at.leb128();
                if (attribute == 0 && form == 0) break;
                read.attributes.emplace_back(attribute, form);
            }
        }
        return all;
    }

    // Returns where the next one begins.
    uint64_t read_unit(uint64_t unit) {
        DebugCursor at(information_, unit);
        const uint64_t length = at.number(4), end = std::min(unit + 4 + length, information_.size());
        const uint64_t version = at.number(2);
        if (length == 0 || version < 2 || version > 4) return information_.size();
        const auto abbreviations = read_abbreviations(at.number(4));
        const auto address_bytes = static_cast<unsigned>(at.number(1));
        std::vector<size_t> open;
        while (at.position() < end) {
            Entry entry;
            entry.offset = at.position();
            const uint64_t code = at.leb128();
            if (code == 0) {
                if (!open.empty()) open.pop_back();
                continue;
            }
            const auto known = abbreviations.find(code);
            if (known == abbreviations.end() || open.size() > deepest) break;
            entry.tag = known->second.tag;
            for (const auto& [attribute, form] : known->second.attributes) {
                if (!read_form(at, form, address_bytes, unit, entry.attributes[attribute])) return end;
            }
            const size_t number = entries_.size();
            by_offset_[entry.offset] = number;
            entries_.push_back(std::move(entry));
            (open.empty() ? roots_ : entries_[open.back()].children).push_back(number);
            if (known->second.children) open.push_back(number);
        }
        return end;
    }

    // False where the form is unknown: then nobody knows where the next attribute is.
    bool read_form(DebugCursor& at, uint64_t form, unsigned address_bytes, uint64_t unit, AttributeValue& read) const {
        const auto block = [&](uint64_t bytes) {
            read.block_begin = at.position();
            read.block_bytes = bytes;
            at.skip(bytes);
        };
        switch (form) {
            case 0x01:  // addr
                read.value = at.value(address_bytes);
                return true;
            case 0x03:
                block(at.number(2));
                return true;
            case 0x04:
                block(at.number(4));
                return true;
            case 0x09:  // block
            case 0x18:  // exprloc
                block(at.leb128());
                return true;
            case 0x0a:
                block(at.number(1));
                return true;
            case 0x08:
                read.text = at.text();
                return true;
            case 0x0e: {  // strp
                const DebugValue place = at.value(4);
                const bool labelled = !place.name.empty() && strings_.has_label(place.name);
                read.text = strings_.text_at(place.number + (labelled ? strings_.label(place.name) : 0));
                return true;
            }
            case 0x0b:
            case 0x0c:
                read.value = at.value(1);
                return true;
            case 0x05:
                read.value = at.value(2);
                return true;
            case 0x06:
            case 0x17:  // sec_offset
                read.value = at.value(4);
                return true;
            case 0x07:
                read.value = at.value(8);
                return true;
            case 0x0d:
                read.value.number = at.leb128(true);
                return true;
            case 0x0f:
                read.value.number = at.leb128();
                return true;
            case 0x10:  // ref_addr
                read.value = at.value(4);
                return true;
            case 0x11:
            case 0x12:
            case 0x13:
            case 0x14:
                read.value.number = unit + at.number(1u << (form - 0x11));
                return true;
            case 0x15:
                read.value.number = unit + at.leb128();
                return true;
            case 0x19:  // flag_present
                read.value.number = 1;
                return true;
            default:
                return false;
        }
    }

    std::optional<Position> position(const DebugValue& value) const {
        const auto found = labels_.find(value.name);
        if (value.name.empty() || found == labels_.end()) return std::nullopt;
        return found->second;
    }

    // Collects variables below the entry, which lies in `function` if that is known.
    void visit(size_t number, std::optional<uint32_t> function, Scope scope, uint64_t depth) {
        if (depth > deepest) return;
        const Entry& entry = entries_[number];
        if (entry.tag == subprogram || entry.tag == lexical_block) {
            const AttributeValue* const low = entry.get(low_pc);
            const AttributeValue* const high = entry.get(high_pc);
            if (low != nullptr && high != nullptr) {
                const auto begin = position(low->value), end = position(high->value);
                if (begin) function = begin->function;
                if (begin && end) scope = {begin->instruction, end->instruction};
            }
        } else if (function && (entry.tag == variable || entry.tag == formal_parameter)) {
            add_variable(entry, *function, scope);
        }
        for (const size_t child : entry.children)
            visit(child, function, scope, depth + 1);
    }

    void add_variable(const Entry& entry, uint32_t function, Scope scope) {
        const AttributeValue* const where = entry.get(location);
        DebugVariable read;
        read.name = entry.text(name);
        if (where == nullptr || read.name.empty()) return;
        read.type = type_of(entry, 0);
        read.begin = scope.begin;
        read.end = scope.end;
        if (where->block_bytes != 0) {
            add_place(information_, where->block_begin, where->block_bytes, function, {}, read.places);
        } else {
            add_listed_places(where->value.number, function, read.places);
        }
        if (!read.places.empty()) variables_[function].push_back(std::move(read));
    }

    // Of a list in .debug_loc: pairs of labels, and the place between them.
    void add_listed_places(uint64_t offset, uint32_t function, std::vector<DebugPlace>& places) const {
        DebugCursor at(locations_, offset);
        while (!at.ended()) {
            const DebugValue low = at.value(8), high = at.value(8);
            if (low.name.empty() && low.number == 0 && high.name.empty() && high.number == 0) return;
            const uint64_t bytes = at.number(2);
            const auto begin = position(low), end = position(high);
            if (begin && end)
                add_place(locations_, at.position(), bytes, function, {begin->instruction, end->instruction}, places);
            at.skip(bytes);
        }
    }

    void add_place(const DebugSectionBytes& section, uint64_t begin, uint64_t bytes, uint32_t function, Scope scope,
                   std::vector<DebugPlace>& places) const {
        DebugCursor at(section, begin);
        DebugPlace place;
        place.begin = scope.begin;
        place.end = scope.end;
        const uint64_t operation = at.number(1);
        if (operation == regx) {
            if (!find_register(at.leb128(), function, place)) return;
        } else if (operation == addr) {
            if (!find_symbol(at.value(8), function, place)) return;
        } else {
            return;
        }
        while (at.position() < begin + bytes) {
            if (at.number(1) != plus_uconst) return;
            place.offset += at.leb128();
        }
        places.push_back(place);
    }

    bool find_register(uint64_t number, uint32_t function, DebugPlace& place) const {
        std::string letters;
        for (; number != 0; number >>= 8)
            letters.insert(letters.begin(), static_cast<char>(number & 0xff));
        const auto found = names_[function].registers.find(letters);
        if (found == names_[function].registers.end()) return false;
        place.kind = DebugPlace::Kind::reg;
        place.index = found->second;
        return true;
    }

    bool find_symbol(const DebugValue& value, uint32_t function, DebugPlace& place) const {
        place.offset = value.number;
        const DwarfNames& names = names_[function];
        if (const auto local = names.locals.find(value.name); local != names.locals.end()) {
            place.kind = DebugPlace::Kind::local;
            place.offset += local->second;
            return true;
        }
        if (const auto parameter = names.parameters.find(value.name); parameter != names.parameters.end()) {
            place.kind = DebugPlace::Kind::parameter;
            place.offset += parameter->second;
            return true;
        }
        for (uint32_t index = 0; index < module_.variables.size(); ++index) {
            const ptx::Variable& found = module_.variables[index];
            if (found.space != ptx::StateSpace::shared || found.name != value.name) continue;
            place.kind = DebugPlace::Kind::shared;
            place.variable = index;
            return true;
        }
        return false;
    }

    // --- types ---

    std::shared_ptr<const DebugType> type_of(const Entry& entry, uint64_t depth) {
        const AttributeValue* const reference = entry.get(type);
        if (reference == nullptr || depth > deepest) return std::make_shared<DebugType>();
        const uint64_t offset = reference->value.number;
        if (const auto known = types_.find(offset); known != types_.end()) return known->second;
        const auto found = by_offset_.find(offset);
        if (found == by_offset_.end()) return std::make_shared<DebugType>();
        auto made = make_type(entries_[found->second], depth + 1);
        types_[offset] = made;
        return made;
    }

    std::shared_ptr<const DebugType> make_type(const Entry& entry, uint64_t depth) {
        auto made = std::make_shared<DebugType>();
        made->name = entry.text(name);
        made->size = entry.number(byte_size);
        switch (entry.tag) {
            case base_type:
                made->kind = base_kind(entry.number(encoding));
                break;
            case pointer_type:
            case reference_type:
            case rvalue_reference_type:
                // What it points to is not looked at: types may point to themselves.
                made->kind = DebugType::Kind::pointer;
                made->size = 8;
                made->name = entry.tag == pointer_type ? "pointer" : "reference";
                break;
            case enumeration_type:
                made->kind = DebugType::Kind::signed_integer;
                break;
            case typedef_:
            case const_type:
            case volatile_type: {
                const auto meant = type_of(entry, depth);
                if (made->name.empty()) return meant;
                const std::string alias = made->name;
                *made = *meant;
                made->name = alias;
                break;
            }
            case structure_type:
            case class_type:
            case union_type:
                made->kind = DebugType::Kind::structure;
                add_members(entry, *made, depth);
                break;
            case array_type:
                made->kind = DebugType::Kind::array;
                made->element = type_of(entry, depth);
                made->count = 1;
                for (const size_t child : entry.children) {
                    const Entry& range = entries_[child];
                    if (range.tag != subrange_type) continue;
                    made->count *= range.get(count) != nullptr ? range.number(count) : range.number(upper_bound) + 1;
                }
                made->size = made->count * made->element->size;
                break;
            default:
                break;
        }
        return made;
    }

    void add_members(const Entry& entry, DebugType& made, uint64_t depth) {
        for (const size_t child : entry.children) {
            const Entry& part = entries_[child];
            if ((part.tag != member && part.tag != inheritance) || made.members.size() >= most_members) continue;
            DebugType::Member read;
            read.name = part.text(name);
            read.type = type_of(part, depth);
            if (const AttributeValue* const place = part.get(data_member_location)) {
                read.offset = place->value.number;
                if (place->block_bytes != 0) {
                    DebugCursor at(information_, place->block_begin);
                    read.offset = at.number(1) == plus_uconst ? at.leb128() : 0;
                }
            }
            made.members.push_back(std::move(read));
        }
    }

    // DWARF 4, 7.8.
    static DebugType::Kind base_kind(uint64_t encoded) {
        switch (encoded) {
            case 0x02:
                return DebugType::Kind::boolean;
            case 0x04:
                return DebugType::Kind::floating;
            case 0x05:
            case 0x06:
                return DebugType::Kind::signed_integer;
            case 0x07:
            case 0x08:
                return DebugType::Kind::unsigned_integer;
            default:
                return DebugType::Kind::unknown;
        }
    }

    const ptx::Module& module_;
    const std::vector<DwarfNames>& names_;
    DebugSectionBytes information_, abbreviations_, locations_, strings_;
    std::map<std::string_view, Position> labels_;
    std::vector<Entry> entries_;
    std::vector<size_t> roots_;
    std::unordered_map<uint64_t, size_t> by_offset_;
    std::unordered_map<uint64_t, std::shared_ptr<const DebugType>> types_;
    std::vector<std::vector<DebugVariable>> variables_;
};

}  // namespace

std::vector<std::vector<DebugVariable>> read_variables(const ptx::Module& module,
                                                       const std::vector<DwarfNames>& names) {
    return Reader(module, names).read();
}

void name_inlined_calls(const ptx::Module& module, DebugInformation& debug) {
    std::map<std::string, std::string, std::less<>> names;
    for (const ptx::DebugSection& section : module.debug_sections) {
        if (section.name != ".debug_str") continue;
        const DebugSectionBytes bytes(section.text);
        for (const auto& [label, offset] : bytes.labels())
            names.emplace(label, bytes.text_at(offset));
    }
    for (size_t function = 0; function < debug.functions.size(); ++function) {
        std::vector<DebugInlinedCall>& calls = debug.functions[function].inlined_calls;
        for (size_t k = 0; k < calls.size(); ++k) {
            const auto name = names.find(module.functions[function].inlined_calls[k].function);
            if (name != names.end()) calls[k].function = name->second;
        }
    }
}

}  // namespace cuprum::simulator
